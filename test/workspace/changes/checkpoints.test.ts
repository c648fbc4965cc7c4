import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCheckpoints } from '../../../src/workspace/changes/checkpoints.ts';
import { createRunTrees, type RunTrees } from '../../../src/workspace/changes/run-trees.ts';
import { makeScratchTree } from '../../../src/workspace/git/scratch-tree.ts';
import { git, put, repository } from '../repository.ts';

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'anode-checkpoints-')));
  root = path.join(base, 'tree');
});
afterEach(() => rmSync(base, { recursive: true }));

const at = (file: string) => path.join(root, file);
const text = (file: string) => readFileSync(at(file), 'utf8');

/** Starts the trees and checkpoints of a run. Each run of a test has a different `number`. */
function begin(number = 1) {
  const directory = path.join(root, '.git');
  const layout = { directory, common: directory };
  const trees = createRunTrees({ root, layout, folder: path.join(base, `${number}.git`) });
  return { trees, checkpoints: createCheckpoints({ root, trees }) };
}

test('a checkpoint is the last tree with its difference from the baseline', async () => {
  repository(root, { a: 'one\n' });
  const { trees, checkpoints } = begin();
  const first = await checkpoints.take();
  put(root, { a: 'two\n' });
  const unseen = await checkpoints.take();
  const tree = await trees.take();
  expect([first.tree, first, unseen]).toEqual([
    await trees.baseline(),
    { tree: first.tree, patch: '' },
    first,
  ]);
  expect(await checkpoints.take()).toEqual({
    tree,
    patch: expect.stringMatching(
      /^diff --git a\/a b\/a\nindex [0-9a-f]{40}\.\.[0-9a-f]{40} 100644\n--- a\/a\n\+\+\+ b\/a\n@@ -1 \+1 @@\n-one\n\+two\n$/,
    ),
  });
});

test('a checkpoint is found by its tree, or rebuilt from its patch if that applies', async () => {
  repository(root, { a: 'one\n', b: 'b\n' });
  const first = begin();
  await first.trees.baseline();
  put(root, { a: 'two\n' });
  const tree = await first.trees.take();
  const { patch } = await first.checkpoints.take();
  put(root, { a: 'one\n' });
  const later = begin(2);
  const find = (wanted: { tree: string; patch: string | null }) => later.checkpoints.find(wanted);
  const blob = git(root, 'rev-parse', 'HEAD:a');
  expect([
    await first.checkpoints.find({ tree, patch: null }),
    await find({ tree, patch: null }),
    await find({ tree: 'f'.repeat(40), patch: '' }),
    await find({ tree: 'HEAD', patch: null }),
    await find({ tree: 'F'.repeat(40), patch: null }),
    await find({ tree: blob, patch: null }),
    await find({ tree: 'f'.repeat(64), patch: null }),
    await find({ tree: 'f'.repeat(40), patch: patch.replace('-one', '-other') }),
  ]).toEqual([tree, null, await later.trees.baseline(), null, null, null, null, null]);
  expect(await find({ tree, patch })).toBe(tree);
});

test('returns the patch from a tree and all changed paths, including old names', async () => {
  const long = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');
  repository(root, { a: 'one\n', from: long });
  const { trees, checkpoints } = begin();
  const { tree } = await checkpoints.take();
  put(root, { a: 'two\n' });
  renameSync(at('from'), at('to'));
  await trees.take();
  const { patch, paths } = await checkpoints.changesSince(tree);
  expect([paths, patch.split('\n').filter((line) => /^(diff|rename|[-+][a-z])/.test(line))]).toEqual([
    ['a', 'from', 'to'],
    [
      ...['diff --git a/a b/a', '-one', '+two', 'diff --git a/from b/to'],
      ...['rename from from', 'rename to to'],
    ],
  ]);
  expect(await checkpoints.changesSince(await trees.latest())).toEqual({ patch: '', paths: [] });
});

test('restores the work tree, except for ignored files, our own files and submodules', async () => {
  const long = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');
  repository(path.join(root, 'sub'), { lib: 'lib' });
  repository(root, { '.gitignore': 'dist\n', a: 'one\n', gone: 'gone\n', run: 'x\n', from: long });
  symlinkSync('a', at('link'));
  const { trees, checkpoints } = begin();
  const { tree } = await checkpoints.take();
  put(root, { a: 'two\n', 'new/x': 'new\n', dist: 'built\n', '.anode-harness/x': 'ours\n' });
  for (const name of ['gone', 'link']) rmSync(at(name));
  symlinkSync('/etc/passwd', at('link'));
  chmodSync(at('run'), 0o755);
  renameSync(at('from'), at('to'));
  await trees.take();
  const failed = await checkpoints.restore(tree);
  expect([
    failed,
    readdirSync(root).sort(),
    ...[text('a'), text('gone'), text('dist'), readlinkSync(at('link')), text('from') === long],
    ...[statSync(at('run')).mode & 0o777, text('.anode-harness/x'), readdirSync(at('new'))],
  ]).toEqual([
    [],
    ['.anode-harness', '.git', '.gitignore', 'a', 'dist', 'from', 'gone', 'link', 'new', 'run', 'sub'],
    ...['one\n', 'gone\n', 'built\n', 'a', true],
    ...[0o644, 'ours\n', []],
  ]);
  expect(await trees.take()).toBe(tree);
});

test('a moved submodule and an old file of ours are not restored', async () => {
  repository(path.join(root, 'sub'), { lib: 'lib' });
  repository(root, { a: 'one\n' });
  const { trees, checkpoints } = begin();
  await trees.baseline();
  const own = await trees.git();
  const empty = git(root, 'hash-object', '-t', 'tree', '-w', '--stdin');
  const blob = git(root, 'hash-object', '-w', '--stdin');
  git(base, '--git-dir', own.gitDirectory, 'read-tree', empty);
  for (const entry of [`100644,${blob},.anode-harness/x`, `160000,${'1'.repeat(40)},sub`])
    git(root, '--git-dir', own.gitDirectory, 'update-index', '--add', '--cacheinfo', entry);
  const other = git(base, '--git-dir', own.gitDirectory, 'write-tree');
  expect([await checkpoints.restore(other), readdirSync(root).sort(), text('sub/lib')]).toEqual([
    [],
    ['.git', 'sub'],
    'lib',
  ]);
});

test('trees are taken only after the first request', async () => {
  repository(root, { a: 'one\n' });
  const trees: RunTrees = begin().trees;
  const begun = [trees.isBaselineRequested()];
  await trees.baselineDone();
  const baseline = trees.baseline();
  begun.push(trees.isBaselineRequested());
  put(root, { b: 'b\n' });
  await trees.baselineDone();
  expect([begun, await trees.latest(), await trees.baseline('ignored')]).toEqual([
    [false, true],
    await baseline,
    await baseline,
  ]);
  const taken = await trees.take();
  const blob = git(root, 'rev-parse', 'HEAD:a');
  const without = await trees.without([{ path: 'c', entry: { mode: '100644', object: blob } }]);
  const latest = await trees.latest();
  const amended = await trees.amend([{ path: 'c', content: null, mode: 0o644 }]);
  expect([latest, amended, await trees.latest(), await trees.omitted()]).toEqual([without, taken, taken, []]);
  expect((await trees.git()).gitDirectory).toBe(path.join(base, '1.git'));
});

test('returns the baseline that was started early', async () => {
  repository(root, { a: 'one\n' });
  const { trees } = begin();
  trees.begin();
  await trees.baselineDone();
  const ahead = trees.isBaselineRequested();
  put(root, { b: 'b\n' });
  const [before, baseline, now] = [git(root, 'write-tree'), await trees.baseline(), await trees.take()];
  expect([ahead, trees.isBaselineRequested(), baseline, now === before]).toEqual([
    false,
    true,
    before,
    false,
  ]);
});

test('reports a failed early baseline only to callers that request it', async () => {
  mkdirSync(root);
  put(base, { '1.git': 'in the way' });
  const { trees } = begin();
  trees.begin();
  await trees.baselineDone();
  await expect(trees.baseline()).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test('baselineDone resolves even if the baseline failed', async () => {
  mkdirSync(root);
  put(base, { '1.git': 'in the way' });
  const { trees } = begin();
  const failed = trees.baseline().catch(() => 'failed');
  await trees.baselineDone();
  expect(await failed).toBe('failed');
});

test('a scratch tree has its own repository and is removed with everything in it', async () => {
  const sha = repository(root, { a: 'one\n', 'deep/b': 'b\n' });
  const own = { cwd: root, gitDirectory: path.join(root, '.git') };
  const folder = path.join(base, 'scratch');
  const scratch = await makeScratchTree(own, sha, folder);
  const found = [
    readdirSync(scratch.root).sort(),
    git(scratch.root, 'rev-parse', 'HEAD'),
    git(scratch.root, 'log', '--format=%s'),
  ];
  put(scratch.root, { left: 'x' });
  await scratch.remove();
  const failed = makeScratchTree(own, 'f'.repeat(40), folder).catch(() => 'failed');
  expect([scratch.root, found, await failed, readdirSync(base), git(root, 'status', '--short')]).toEqual([
    path.join(folder, 'tree'),
    [['.git', 'a', 'deep'], sha, 'Start'],
    ...['failed', ['tree'], ''],
  ]);
});
