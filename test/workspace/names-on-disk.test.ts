import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError } from '../../src/contract/errors.ts';
import type { RejectedChange, SeenChange } from '../../src/permissions/gate/evaluate-changes.ts';
import { isProtected } from '../../src/permissions/gate/protected-paths.ts';
import { revertRejected } from '../../src/workspace/changes/revert-rejected.ts';
import { createRunTrees, type RunTrees } from '../../src/workspace/changes/run-trees.ts';
import { git, put, repository, temporaryFolder } from './repository.ts';

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(temporaryFolder('names'));
  root = path.join(base, 'tree');
});
afterEach(() => rmSync(base, { recursive: true }));

const at = (file: string) => path.join(root, file);
const begin = (): RunTrees => {
  const directory = at('.git');
  return createRunTrees({
    root,
    layout: { directory, common: directory },
    folder: path.join(base, 'trees.git'),
  });
};

/** Observes as after a command. Returns short reasons by path: restored, and not restorable. */
async function lookOf(trees: RunTrees) {
  const told: Record<'putBack' | 'stuck', Record<string, string>> = { putBack: {}, stuck: {} };
  const from = await trees.latest();
  const inShort = (held: readonly RejectedChange[]) =>
    Object.fromEntries(held.map((one) => [one.path, one.short]));
  const to = await revertRejected(
    { root, trees, from, to: await trees.take() },
    {
      evaluate: async (changes: readonly SeenChange[]) =>
        changes.flatMap(({ path: one }) =>
          isProtected(one) === null && one !== '.vscode'
            ? []
            : [{ path: one, reason: 'no', short: 'protected' }],
        ),
      report(putBack, stuck) {
        told.putBack = inShort(putBack);
        told.stuck = inShort(stuck);
      },
    },
  );
  return { ...told, same: from === to };
}

test('protected names that git does not list are found on disk and restored', async () => {
  repository(root, {
    'a.txt': 'a\n',
    '.claude/settings.json': '{}\n',
    'AGENTS.md': 'Be kind.\n',
    'sub/x.txt': 'x\n',
  });
  repository(at('nested'), { 'n.txt': 'n\n' });
  rmSync(at('nested/.git/hooks'), { recursive: true });
  put(root, { '.gitignore': 'local/\n', 'local/CLAUDE.md': 'Mine.\n' });
  git(root, 'update-index', '--assume-unchanged', 'AGENTS.md');
  git(root, 'update-index', '--skip-worktree', '.claude/settings.json');
  const trees = begin();
  await trees.baseline();
  put(root, {
    '.husky/.gitignore': '*\n',
    '.husky/_/pre-commit': 'evil\n',
    'nested/.git/config': '[core]\n\tfsmonitor = ./evil\n',
    'nested/.cursor/rules/a.md': 'evil\n',
    'AGENTS.md': 'Be evil.\n',
    'local/CLAUDE.md': 'Evil.\n',
    '.claude/settings.json': '{"hooks":{}}\n',
    'node_modules/x/.git/hooks/post-checkout': 'evil\n',
    'sub/.git': 'gitdir: ../evil\n',
    'sub/Jenkinsfile': 'evil\n',
    'vs/mcp.json': '{}\n',
  });
  symlinkSync('vs', at('.vscode'));
  const found = await lookOf(trees);
  expect(found).toEqual({
    putBack: Object.fromEntries(
      [
        ...[
          '.husky',
          '.vscode',
          'AGENTS.md',
          'local/CLAUDE.md',
          '.claude/settings.json',
          'nested/.git/config',
        ],
        ...['nested/.cursor/rules/a.md', 'node_modules/x/.git', 'sub/.git', 'sub/Jenkinsfile'],
      ].map((one) => [one, 'protected']),
    ),
    stuck: {},
    same: false,
  });
  const gone = [
    '.husky',
    '.vscode',
    'nested/.cursor/rules/a.md',
    'node_modules/x/.git',
    'sub/.git',
    'sub/Jenkinsfile',
  ];
  expect([
    gone.filter((one) => existsSync(at(one))),
    ['AGENTS.md', 'local/CLAUDE.md', '.claude/settings.json'].map((one) => readFileSync(at(one), 'utf8')),
    readFileSync(at('nested/.git/config'), 'utf8').includes('fsmonitor'),
    existsSync(at('vs/mcp.json')),
    (await lookOf(trees)).putBack,
  ]).toEqual([[], ['Be kind.\n', 'Mine.\n', '{}\n'], false, true, {}]);
});

test('a protected folder that cannot be read is opened and restored', async () => {
  repository(root, { 'a.txt': 'a\n' });
  const trees = begin();
  await trees.baseline();
  put(root, { '.claude/settings.json': '{}\n', '.zed/deep/tasks.json': '{}\n' });
  chmodSync(at('.zed/deep'), 0o000);
  chmodSync(at('.claude'), 0o311);
  expect([(await lookOf(trees)).stuck, existsSync(at('.claude')), existsSync(at('.zed'))]).toEqual([
    {},
    false,
    false,
  ]);
});

test('attributes written by a command hide nothing, and those from the start apply', async () => {
  const workflow = '.github/workflows/ci.yml';
  repository(root, {
    [workflow]: 'on: push\n# $Id$\n',
    '.gitattributes': '*.bat eol=crlf\n',
    'a.bat': 'a\nb\n',
  });
  rmSync(at('a.bat'));
  git(root, 'checkout', '--', 'a.bat');
  const trees = begin();
  const first = await trees.baseline();
  put(root, {
    '.gitattributes': '*.yml ident text eol=lf\n*.bat -text\n',
    [workflow]: 'on: push\r\n# $Id: evil $\r\n',
  });
  put(root, { 'a.bat': 'a\r\nB\r\n' });
  const found = await lookOf(trees);
  const own = await trees.git();
  expect([
    found.putBack,
    readFileSync(at(workflow), 'utf8'),
    git(own.gitDirectory, 'diff', '--stat', '--no-color', first, await trees.latest(), '--', 'a.bat')
      .split('\n')
      .at(-1),
  ]).toEqual([
    { [workflow]: 'protected' },
    'on: push\n# $Id$\n',
    ' 1 file changed, 1 insertion(+), 1 deletion(-)',
  ]);
});

test('invalid names are removed, in protected folders and elsewhere', async () => {
  repository(root, { 'a.txt': 'a\n', '.github/workflows/ci.yml': 'on: push\n' });
  const trees = begin();
  await trees.baseline();
  const bad = (folder: string) =>
    Buffer.concat([Buffer.from(`${at(folder)}/`), Buffer.from([0xff, 0x2e, 0x79])]);
  writeFileSync(bad('.github/workflows'), 'on: push\n');
  writeFileSync(bad('.'), 'x\n');
  expect([
    (await lookOf(trees)).putBack,
    [bad('.'), bad('.github/workflows')].map((one) => existsSync(one)),
  ]).toEqual([{ '\\xff.y': 'not UTF-8', '.github/workflows/\\xff.y': 'not UTF-8' }, [false, false]]);
});

test('rule files that block git are restored before a snapshot, also while git waits for one', async () => {
  repository(root, { 'a.txt': 'a\n', 'sub/.gitignore': 'ignored\n' });
  const trees = begin();
  await trees.baseline();
  for (const file of ['sub/.gitignore', '.gitignore', 'new/.gitattributes']) {
    put(root, { [`${file}.x`]: '' });
    rmSync(at(file), { force: true });
    rmSync(at(`${file}.x`));
    execFileSync('mkfifo', [at(file)]);
  }
  symlinkSync('/dev/zero', at('.gitmodules'));
  writeFileSync(at('new/.gitignore'), '');
  truncateSync(at('new/.gitignore'), 2 ** 32);
  const { putBack } = await lookOf(trees);
  const waiting = trees.take();
  // Made after the scan of the names.
  setImmediate(() => execFileSync('mkfifo', [at('.gitattributes')]));
  await waiting;
  expect([
    putBack,
    readFileSync(at('sub/.gitignore'), 'utf8'),
    ['.gitignore', 'new/.gitattributes', 'new/.gitignore'].filter((one) => existsSync(at(one))),
    lstatSync(at('.gitmodules'), { throwIfNoEntry: false }),
  ]).toEqual([
    {
      ...{ '.gitignore': 'odd file', 'sub/.gitignore': 'odd file', 'new/.gitattributes': 'odd file' },
      ...{ 'new/.gitignore': 'odd file', '.gitmodules': 'protected' },
    },
    'ignored\n',
    [],
    undefined,
  ]);
});

test('a rule file that blocks git from the start ends the run with a remedy', async () => {
  repository(root, { 'a.txt': 'a\n' });
  mkdirSync(at('deep'));
  execFileSync('mkfifo', [at('deep/.gitattributes')]);
  await expect(begin().baseline()).rejects.toThrow(
    new ConfigError(
      '`deep/.gitattributes` is no file but a FIFO. Git would wait for it without end; remove it.',
      { file: 'deep/.gitattributes' },
    ),
  );
});

test('a link at a protected path is restored as a link', async () => {
  repository(root, { 'AGENTS.md': 'Be kind.\n' });
  symlinkSync('AGENTS.md', at('CLAUDE.md'));
  git(root, 'add', '-A');
  const trees = begin();
  await trees.baseline();
  rmSync(at('CLAUDE.md'));
  mkdirSync(at('CLAUDE.md/x'), { recursive: true });
  put(root, { 'CLAUDE.md/x/y': 'evil\n' });
  expect([(await lookOf(trees)).stuck, readlinkSync(at('CLAUDE.md'))]).toEqual([{}, 'AGENTS.md']);
});
