import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { collectDiff } from '../../src/checks/collect-diff.ts';
import { type LinterServices, newEditChecks } from '../../src/checks/linters/edit-checks.ts';
import { runChecks } from '../../src/checks/run-checks.ts';
import { CheckName } from '../../src/contract/checks.ts';
import { brief } from './brief.ts';
import { diffOf, repositoryOf, type Tree } from './diff-fixture.ts';

const bad: Tree = {
  'a.ts': 'let a\u200B;\n',
  'gen/b.ts': 'let b\u200B;\n',
  'c.ts': 'let c\u200B;\n>>>>>>> x\n',
};

test('every check runs unless it is off, skips ignored paths, and uses the configured severity', async () => {
  const diff = await diffOf({}, bad);
  const all = await runChecks({ diff, settings: {}, linters: null });
  const some = await runChecks({
    diff,
    settings: { conflicts: false, unicode: { ignore: ['gen/**'], severity: 'info', maximum: 1 } },
    linters: 'There is no sandbox.',
  });
  expect([
    { ...all, findings: brief(all.findings) },
    { ...some, findings: brief(some.findings) },
  ]).toEqual([
    {
      ran: CheckName.options.filter((name) => name !== 'linters'),
      findings: [
        'c.ts:2 high A conflict marker is left',
        'a.ts:1 medium 1 hidden character',
        'c.ts:1 medium 1 hidden character',
        'gen/b.ts:1 medium 1 hidden character',
      ],
      notes: [],
    },
    {
      cut: ['unicode'],
      ran: ['secrets', 'workflows', 'lifecycle', 'lockfiles', 'files', 'unicode'],
      findings: ['a.ts:1 info 1 hidden character'],
      notes: ['The check unicode found 1 more (review.checks.unicode.maximum).', 'There is no sandbox.'],
    },
  ]);
});

test('linters count as run without having checked if none is installed', async () => {
  const diff = await diffOf({}, { 'a.ts': 'let a;\n' });
  const editChecks = newEditChecks({ programs: false, timeoutMs: 1_000 });
  const files = { read: async () => ({ bytes: Buffer.from('let a;\n') }) };
  const linters = { workspace: { files }, editChecks } as unknown as LinterServices;
  expect(await runChecks({ diff, settings: {}, linters })).toEqual({
    ...{ ran: CheckName.options, idle: ['linters'] },
    ...{ findings: [], notes: [] },
  });
});

test('a file marked as binary, quoted, renamed and changed is still checked', async () => {
  const text = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('');
  const diff = await diffOf(
    { '.gitattributes': '* -diff -text\n', 'old.ts': text },
    { 'old.ts': null, 'nëw name.ts': `${text}>>>>>>> x\n` },
  );
  expect(diff.files.map(({ path: name, oldPath, kind, added }) => ({ name, oldPath, kind, added }))).toEqual([
    { name: 'nëw name.ts', oldPath: 'old.ts', kind: 'rename', added: new Set([21]) },
  ]);
  const { findings } = await runChecks({ diff, settings: {}, linters: null });
  expect(brief(findings)).toEqual(['nëw name.ts:21 high A conflict marker is left']);
});

test('a file that is too large to check is only measured', async () => {
  const diff = await diffOf({}, { 'huge.txt': `>>>>>>> x\n${'a'.repeat(5 * 1024 * 1024)}` });
  const { findings } = await runChecks({ diff, settings: {}, linters: null });
  expect(brief(findings)).toEqual(['huge.txt:1 medium A large file']);
});

test('the newest commits of this project are checked, and findings are on lines that they added', async () => {
  const root = path.resolve(import.meta.dirname, '../..');
  const run = (...args: string[]) => execFileSync('git', args, { cwd: root }).toString().trim();
  const { git } = repositoryOf({ a: 'a\n' });
  // Objects are borrowed, so that nothing is written where the project's own git lies.
  const common = run('rev-parse', '--path-format=absolute', '--git-common-dir');
  writeFileSync(path.join(git.gitDirectory, 'objects/info/alternates'), `${common}/objects\n`);
  const commits = run('log', '--format=%H %P', '-n', '8', '--no-merges')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, parent]) => parent !== undefined);
  const astray: string[] = [];
  for (const [sha = '', parent = ''] of commits) {
    const diff = await collectDiff(git, parent, sha);
    const { findings, ran } = await runChecks({ diff, settings: {}, linters: null });
    expect(ran).toHaveLength(CheckName.options.length - 1);
    for (const { path: name, line, check } of findings) {
      const file = diff.files.find((one) => one.path === name);
      const whole = check === 'files' || check === 'workflows' || file?.added.size === 0;
      if (file === undefined || !(whole || file.added.has(line)))
        astray.push(`${sha} ${name}:${line} ${check}`);
    }
  }
  expect(astray).toEqual([]);
});

test('content that resembles git’s own lines between two lines moves nothing to another file', async () => {
  const forged = 'x\rdiff --git a/b b/b\r@@ -1 +1,99999999999 @@\rGIT binary patch\r\n';
  const { files } = await diffOf(
    { 'a.txt': 'one\n' },
    { 'a.txt': `one\n${forged}`, 'b.txt': 'two\n', 'c.txt': 'three\n' },
  );
  expect(files.map(({ path, added }) => [path, [...added]])).toEqual([
    ['a.txt', [2]],
    ['b.txt', [1]],
    ['c.txt', [1]],
  ]);
});

test('a folder with a name that git could read as an option is a folder', async () => {
  const manifest = '{"dependencies":{"left-pad":"^1.0.0"}}\n';
  const { files, neighbours } = await diffOf(
    {},
    {
      ':(icase)x/package.json': manifest,
      ':(icase)x/package-lock.json': '{}\n',
      ':!y/package.json': manifest,
    },
  );
  expect([files.length, [...neighbours.keys()]]).toEqual([3, [':(icase)x/package-lock.json']]);
});

test('an invalid UTF-8 byte hides nothing of a file that is displayed as text', async () => {
  const key = ['ghp_', '0123456789abcdefghijklmnopqrstuvwxyzAB'].join('');
  const text = Buffer.from(`// caf\xe9 \x93x\x94\nconst key = "${key}";\n<<<<<<< HEAD\n`, 'latin1');
  const diff = await diffOf({}, { 'a.js': text });
  const { findings } = await runChecks({ diff, settings: {}, linters: null });
  expect(findings.map(({ check, line }) => [check, line])).toEqual([
    ['conflicts', 3],
    ['secrets', 2],
  ]);
});
