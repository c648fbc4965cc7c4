import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findGit } from '../../../src/workspace/git/git-layout.ts';
import { makeOwnGit, type OwnGit } from '../../../src/workspace/git/own-git.ts';
import { applySavedPatch, patchedTree } from '../../../src/workspace/git/patched-tree.ts';
import { git, put, repository, temporaryFolder } from '../repository.ts';

let base: string;
let root: string;
let own: OwnGit;
let head: string;
beforeEach(() => {
  base = temporaryFolder('patched');
  root = path.join(base, 'tree');
  head = repository(root, { a: 'one\n' });
  own = makeOwnGit(findGit(root), path.join(base, 'own.git'));
});
afterEach(() => rmSync(base, { recursive: true }));

const patch = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+two  \n';
const treeOf = (commit: string) => git(root, 'rev-parse', `${commit}^{tree}`);
const files = () => git(root, 'status', '--porcelain');

test('a patch makes the new tree, its reverse the old one, without touching files', async () => {
  const tree = await patchedTree(own, head, patch);
  const back = await patchedTree(own, tree ?? '', patch, { reverse: true });
  put(root, { a: 'two  \n' });
  git(root, 'commit', '-qam', 'Two');
  expect([
    tree,
    back,
    files(),
    readdirSync(own.gitDirectory).filter((name) => name.startsWith('patched')),
  ]).toEqual([...[treeOf('HEAD'), treeOf(head), '', []]]);
});

test('a patch that does not apply gives no tree, and an invalid one is an error', async () => {
  expect([
    await patchedTree(own, head, patch, { reverse: true }),
    await patchedTree(own, head, patch.replace('-one', '-x')),
  ]).toEqual([null, null]);
  await expect(patchedTree(own, head, 'no patch')).rejects.toThrow();
});

test('a stored patch is applied to a work tree completely or not at all', async () => {
  const added = 'diff --git a/b b/b\nnew file mode 100644\n--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+b\n';
  expect([
    await applySavedPatch(own, root, ''),
    await applySavedPatch(own, root, added + patch.replace('-one', '-x')),
    files(),
    await applySavedPatch(own, root, added + patch),
    files(),
  ]).toEqual([true, false, '', true, 'M a\n?? b']);
});
