import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRunTrees, type RunTrees } from '../../../src/workspace/changes/run-trees.ts';
import { findGit } from '../../../src/workspace/git/git-layout.ts';
import { put, repository, temporaryFolder } from '../repository.ts';

let base: string;
let root: string;
beforeEach(() => {
  base = temporaryFolder('trees');
  root = path.join(base, 'tree');
  repository(root, { 'a.txt': 'a\n', '.gitignore': 'made\n' });
});
afterEach(() => rmSync(base, { recursive: true }));

const begin = (folder = 'trees.git'): RunTrees =>
  createRunTrees({ root, layout: findGit(root), folder: path.join(base, folder) });
const at = (name: string) => path.join(root, name);

/** The paths of the names of a scan, and true for an odd file. */
const named = (names: ReturnType<RunTrees['names']>) => names.map((one) => [one.path, one.odd !== null]);

async function filesOf(trees: RunTrees, tree: string) {
  const { gitDirectory } = await trees.git();
  const listed = execFileSync('git', ['--git-dir', gitDirectory, 'ls-tree', '-r', '--name-only', tree]);
  return listed.toString().trim().split('\n');
}

test('does not count a started baseline as requested, and returns it later', async () => {
  const trees = begin();
  trees.begin();
  const before = trees.isBaselineRequested();
  await trees.baselineDone();
  put(root, { 'late.txt': 'late\n' });
  const baseline = await trees.baseline();
  expect([before, trees.isBaselineRequested(), await filesOf(trees, baseline), await trees.latest()]).toEqual(
    [...[false, true, ['.gitignore', 'a.txt'], baseline]],
  );
});

test('the latest tree is the baseline, then that of the last snapshot', async () => {
  const trees = begin();
  const first = await trees.latest();
  put(root, { 'b.txt': 'b\n' });
  const stays = await trees.latest();
  const taken = await trees.take();
  expect([
    stays === first,
    first === taken,
    (await trees.latest()) === taken,
    trees.isBaselineRequested(),
  ]).toEqual([...[true, false, true, true]]);
  expect(await filesOf(trees, taken)).toEqual(['.gitignore', 'a.txt', 'b.txt']);
});

test('a patch already in the work tree is not part of the baseline if it still applies', async () => {
  const standing = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+changed\n';
  const untouched = await begin('first.git').baseline();
  put(root, { 'a.txt': 'changed\n' });
  const without = await begin('second.git').baseline(`diff --git a/a.txt b/a.txt\n${standing}`);
  put(root, { 'a.txt': 'by somebody else\n' });
  const whole = await begin('third.git').baseline();
  const unfit = await begin('fourth.git').baseline(`diff --git a/a.txt b/a.txt\n${standing}`);
  expect([without === untouched, unfit === whole, whole === untouched]).toEqual([true, true, false]);
});

test('returns the names of the last scan only', async () => {
  const trees = begin();
  await trees.baseline();
  mkdirSync(at('.vscode'));
  put(root, { '.vscode/tasks.json': '{}' });
  const looked = named(await trees.scanNames());
  rmSync(at('.vscode'), { recursive: true });
  const again = named(await trees.scanNames());
  expect([looked, again, named(trees.names())]).toEqual([[['.vscode/tasks.json', false]], [], []]);
});

test('reverts a pipe in place of a rule file and reports it once', async () => {
  const trees = begin();
  await trees.baseline();
  unlinkSync(at('.gitignore'));
  execFileSync('mkfifo', [at('.gitignore')]);
  const found = named(await trees.scanNames());
  const rules = readFileSync(at('.gitignore'), 'utf8');
  const again = named(await trees.scanNames());
  unlinkSync(at('.gitignore'));
  execFileSync('mkfifo', [at('.gitignore')]);
  await trees.scanNames();
  await trees.take();
  expect([found, rules, again, named(trees.names())]).toEqual([[['.gitignore', true]], 'made\n', [], []]);
});

test('returns no names without a baseline', async () => {
  const trees = begin();
  await trees.baselineDone();
  trees.acceptNames();
  await trees.adoptNames(['.vscode']);
  const names = await trees.scanNames();
  expect([names, trees.names(), trees.unseen(), trees.links(), trees.isBaselineRequested()]).toEqual([
    [],
    [],
    [],
    [],
    false,
  ]);
});

test('does not report accepted names again', async () => {
  const trees = begin();
  await trees.baseline();
  put(root, { '.vscode/tasks.json': '{}' });
  await trees.take();
  const before = named(trees.names());
  trees.acceptNames();
  await trees.take();
  expect([before, named(trees.names())]).toEqual([[['.vscode/tasks.json', false]], []]);
});
