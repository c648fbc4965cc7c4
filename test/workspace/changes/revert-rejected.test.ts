import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RejectedChange, SeenChange } from '../../../src/permissions/gate/evaluate-changes.ts';
import { restoreEntries } from '../../../src/workspace/changes/restore-entries.ts';
import { revertRejected, revertRejectedNames } from '../../../src/workspace/changes/revert-rejected.ts';
import { createRunTrees, type RunTrees } from '../../../src/workspace/changes/run-trees.ts';
import { git, put, repository } from '../repository.ts';

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'anode-held-')));
  root = path.join(base, 'tree');
});
afterEach(() => rmSync(base, { recursive: true }));

const at = (file: string) => path.join(root, file);
const text = (file: string) => readFileSync(at(file), 'utf8');
const long = (word: string) => Array.from({ length: 20 }, (_, line) => `${word} ${line}\n`).join('');

function begin(): RunTrees {
  const directory = path.join(root, '.git');
  return createRunTrees({
    root,
    layout: { directory, common: directory },
    folder: path.join(base, 'trees.git'),
  });
}

/** Rejects the paths that match, and records what it gets. */
function evaluatorOf(pattern: RegExp) {
  const seen: (readonly SeenChange[])[] = [];
  const reports: { reverted: string[]; stuck: string[] }[] = [];
  const paths = (held: readonly RejectedChange[]) => held.map((one) => `${one.path}: ${one.reason}`).sort();
  return {
    seen,
    reports,
    evaluate: async (changes: readonly SeenChange[]) => {
      seen.push(changes);
      return changes
        .filter((change) => pattern.test(change.path))
        .map((change) => ({ path: change.path, reason: 'no', short: 'no' }));
    },
    report: (reverted: readonly RejectedChange[], stuck: readonly RejectedChange[]) =>
      void reports.push({ reverted: paths(reverted), stuck: paths(stuck) }),
  };
}

test('shows each path to the evaluator once, a rename as two, large and binary files without lines', async () => {
  repository(root, { a: 'one\n', gone: 'gone\n', from: long('from'), large: 'x\n', bin: 'text\n' });
  const trees = begin();
  const from = await trees.baseline();
  put(root, { a: 'two\n', new: 'new\n', bin: Buffer.from([0, 1]), large: 'y\n'.repeat(128 * 1024) });
  rmSync(at('gone'));
  renameSync(at('from'), at('to'));
  put(root, { huge: '' });
  execFileSync('truncate', ['-s', '40M', at('huge')]);
  const evaluator = evaluatorOf(/nothing/);
  const to = await trees.take();
  expect(await revertRejected({ root, trees, from, to }, evaluator)).toBe(to);
  const rename = 'diff --git a/from b/to\nsimilarity index 100%\nrename from from\nrename to to\n';
  expect(evaluator.seen).toEqual([
    [
      {
        path: 'a',
        kind: 'modify',
        diff: expect.stringMatching(/^diff --git a\/a b\/a\n[\s\S]*-one\n\+two\n$/),
      },
      { path: 'bin', kind: 'modify', diff: '' },
      {
        path: 'gone',
        kind: 'delete',
        diff: expect.stringMatching(/^diff --git a\/gone b\/gone\n[\s\S]*-gone\n$/),
      },
      { path: 'large', kind: 'modify', diff: '' },
      { path: 'new', kind: 'add', diff: expect.stringMatching(/^diff --git a\/new b\/new\n[\s\S]*\+new\n$/) },
      { path: 'from', kind: 'delete', diff: rename },
      { path: 'to', kind: 'add', diff: rename },
      { path: 'huge', kind: 'modify', diff: '' },
    ],
  ]);
  expect([evaluator.reports, text('a'), existsSync(at('huge'))]).toEqual([[], 'two\n', true]);
});

test('does not call the evaluator without a change', async () => {
  repository(root, { a: 'one\n' });
  const trees = begin();
  const from = await trees.baseline();
  const evaluator = evaluatorOf(/./);
  expect([
    await revertRejected({ root, trees, from, to: from }, evaluator),
    evaluator.seen,
    evaluator.reports,
  ]).toEqual([from, [], []]);
});

test('reverts and reports rejected changes, and returns a tree with the rest', async () => {
  repository(root, { a: 'one\n', b: 'b\n', 'held/from': long('from'), free: long('free') });
  const trees = begin();
  const from = await trees.baseline();
  put(root, { a: 'two\n', b: 'c\n', huge: '' });
  execFileSync('truncate', ['-s', '40M', at('huge')]);
  renameSync(at('held/from'), at('to'));
  renameSync(at('free'), at('held/free'));
  const evaluator = evaluatorOf(/^(a|huge|held\/.*)$/);
  const to = await revertRejected({ root, trees, from, to: await trees.take() }, evaluator);
  expect([
    evaluator.reports,
    text('a'),
    text('b'),
    existsSync(at('huge')),
    text('held/from'),
    text('free'),
  ]).toEqual([
    [{ reverted: ['a: no', 'held/free: no', 'held/from: no', 'huge: no'], stuck: [] }],
    ...['one\n', 'c\n', false, long('from'), long('free')],
  ]);
  expect([
    existsSync(at('to')),
    existsSync(at('held/free')),
    evaluator.seen.length,
    await trees.latest(),
  ]).toEqual([...[false, false, 2, to]]);
});

test('reverts a file that is written again three times, then leaves it to the next observation', async () => {
  repository(root, { a: 'one\n', b: 'b\n' });
  const trees = begin();
  const from = await trees.baseline();
  let takes = 0;
  const busy: RunTrees = {
    ...trees,
    take() {
      takes += 1;
      put(root, { a: `${takes}\n` });
      return trees.take();
    },
  };
  put(root, { b: 'c\n' });
  const evaluator = evaluatorOf(/^a$/);
  const to = await revertRejected({ root, trees: busy, from, to: await busy.take() }, evaluator);
  const kept = git(root, '--git-dir', path.join(base, 'trees.git'), 'rev-parse', `${to}:a`, `${to}:b`).split(
    '\n',
  );
  expect([takes, evaluator.seen.length, evaluator.reports, kept]).toEqual([
    ...[4, 4, [{ reverted: [], stuck: ['a: no'] }]],
    [git(root, 'rev-parse', 'HEAD:a'), expect.not.stringMatching(git(root, 'rev-parse', 'HEAD:b'))],
  ]);
  expect(await trees.latest()).toBe(to);
});

test('reverts protected names without git, and nothing else', async () => {
  repository(root, { 'AGENTS.md': 'Be kind.\n', '.github/workflows/ci.yml': 'on: push\n', a: 'one\n' });
  const trees = begin();
  await trees.baseline();
  rmSync(path.join(base, 'trees.git', 'HEAD'));
  put(root, { 'AGENTS.md': 'evil\n', 'CLAUDE.md': 'agreed\n', '.claude/x': 'evil\n', a: 'two\n' });
  rmSync(at('.github'), { recursive: true });
  await expect(trees.take()).rejects.toThrow('not a git repository');
  const evaluator = evaluatorOf(/^(AGENTS|\.github|\.claude)/);
  await revertRejectedNames({ root, trees }, evaluator);
  expect([
    ['AGENTS.md', 'CLAUDE.md', '.github/workflows/ci.yml', 'a'].map(text),
    existsSync(at('.claude')),
    evaluator.reports,
  ]).toEqual([
    ['Be kind.\n', 'agreed\n', 'on: push\n', 'two\n'],
    false,
    [
      {
        reverted: ['.claude: no', '.github/workflows/ci.yml: no', 'AGENTS.md: no'],
        stuck: [],
      },
    ],
  ]);
});

test('does not revert a submodule', async () => {
  repository(at('sub'), { lib: 'lib' });
  repository(root, { a: 'one\n' });
  const trees = begin();
  const from = await trees.baseline();
  const { gitDirectory } = await trees.git();
  git(root, '--git-dir', gitDirectory, 'update-index', '--cacheinfo', `160000,${'2'.repeat(40)},sub`);
  const moved = git(root, '--git-dir', gitDirectory, 'write-tree');
  git(root, '--git-dir', gitDirectory, 'update-index', '--force-remove', 'sub');
  const gone = git(root, '--git-dir', gitDirectory, 'write-tree');
  const evaluator = evaluatorOf(/./);
  expect([
    await revertRejected({ root, trees, from, to: moved }, evaluator),
    await revertRejected({ root, trees, from, to: gone }, evaluator),
    await revertRejected({ root, trees, from: gone, to: from }, evaluator),
    ...[
      evaluator.seen.map((changes) => changes.map(({ path: file }) => file)),
      evaluator.reports,
      text('sub/lib'),
    ],
  ]).toEqual([moved, gone, from, [['sub'], ['sub'], ['sub']], [], 'lib']);
});

test('restores each path as a file, a program, a link or nothing', async () => {
  repository(root, {
    a: 'one\n',
    'deep/er/run': 'run\n',
    link: 'x',
    'folder/file': 'x',
    '.gitattributes': '*.bat eol=crlf\n',
    'x.bat': 'a\r\n',
  });
  const own = { cwd: root, gitDirectory: path.join(root, '.git') };
  const object = (file: string) => git(root, 'rev-parse', `HEAD:${file}`);
  const [a, run, bat] = [object('a'), object('deep/er/run'), object('x.bat')];
  for (const name of ['a', 'deep', 'link']) rmSync(at(name), { recursive: true });
  put(root, { 'a/in/the/way': 'x', deep: 'a file', new: 'new', 'x.bat': 'b', plain: 'x' });
  for (const [name, mode] of [
    ['x.bat', '600'],
    ['plain', '777'],
  ] as const)
    execFileSync('chmod', [mode, at(name)]);
  symlinkSync('nowhere', at('link'));
  symlinkSync('folder', at('other'));
  symlinkSync('/etc', at('above'));
  const file = (mode: string, one: string | undefined) => ({ mode, object: one ?? '' });
  const failed = await restoreEntries(root, own, [
    { path: 'a', entry: file('100644', a) },
    { path: 'deep/er/run', entry: file('100755', run) },
    { path: 'link', entry: file('100644', a) },
    { path: 'made/new/link', entry: file('120000', a) },
    { path: 'plain', entry: file('120000', a) },
    { path: 'x.bat', entry: file('100755', bat) },
    { path: 'other/x', entry: file('100644', a) },
    { path: 'new', entry: null },
    { path: 'new/below', entry: null },
    { path: 'folder', entry: null },
    { path: 'above/passwd', entry: null },
    { path: 'none/at/all', entry: null },
    { path: 'lost', entry: file('100644', 'f'.repeat(40)) },
    { path: 'lost-link', entry: file('120000', 'f'.repeat(40)) },
    { path: '.git/config', entry: file('100644', a) },
  ]);
  const mode = (name: string) => statSync(at(name)).mode & 0o777;
  expect([
    failed,
    [text('a'), text('deep/er/run'), text('link'), text('x.bat'), text('other/x')],
    [mode('a'), mode('deep/er/run'), mode('x.bat'), mode('other')],
    ['link', 'made/new/link', 'plain', 'other'].map((name) => lstatSync(at(name)).isSymbolicLink()),
    ['new', 'folder/file', 'above', 'lost', 'folder/x'].map((name) => existsSync(at(name))),
  ]).toEqual([
    ['lost', 'lost-link', '.git/config'],
    ['one\n', 'run\n', 'one\n', 'a\r\n', 'one\n'],
    [0o644, 0o755, 0o711, 0o755],
    [false, true, true, false],
    [false, true, true, false, false],
  ]);
});

test('a defect is thrown, not reported as a path that failed', async () => {
  repository(root, { a: 'one\n' });
  const broken = { cwd: root, gitDirectory: path.join(root, '.git') };
  const entry = { mode: '100644', object: 'f'.repeat(40) };
  const kept = {
    path: 'a',
    get entry(): typeof entry {
      throw new TypeError('a defect');
    },
  };
  await expect(restoreEntries(root, broken, [kept])).rejects.toThrow('a defect');
});
