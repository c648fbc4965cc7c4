import { isOwnPath } from '../files/confine-path.ts';
import { patchedTree } from '../git/patched-tree.ts';
import { runGit } from '../git/run-git.ts';
import { diffTrees } from '../git/tree-diff.ts';
import { type KeptEntry, putBack } from './put-back.ts';
import type { RunTrees } from './run-trees.ts';

/** A state of the work tree that it can go back to. */
export interface Checkpoint {
  /** Git's name of the tree. */
  readonly tree: string;
  /** How it differs from where the run started: with this a later part of the session finds it again. '' for not at all. */
  readonly patch: string;
}

/** States of the work tree, as the change ledger last saw it. Whoever asks has it look first (`ChangeLedger.observe`). */
export interface Checkpoints {
  take(): Promise<Checkpoint>;
  /**
   * The tree of a checkpoint, made anew from its patch where another part of the session took it; null where that does not fit any more,
   * or the patch was not kept (null).
   */
  find(checkpoint: { readonly tree: string; readonly patch: string | null }): Promise<string | null>;
  /** What differs between a tree and the work tree: git's patch, and the paths. */
  changesSince(tree: string): Promise<{ readonly patch: string; readonly paths: readonly string[] }>;
  /**
   * Makes the work tree what `tree` has, but for what git ignores, and for submodules. Returns the paths that it did not come to. What was there
   * stays in the run's own git; the next `observe` enters what this changed, with before-images.
   */
  restore(tree: string): Promise<readonly string[]>;
}

const SUBMODULE = '160000';

/** Checkpoints of the work tree at `root`, kept as objects of the run's own git directory. */
export function createCheckpoints({
  root,
  trees,
}: {
  readonly root: string;
  readonly trees: RunTrees;
}): Checkpoints {
  const isHere = async (tree: string): Promise<boolean> => {
    if (!/^[0-9a-f]{40,64}$/.test(tree)) return false;
    const args = ['cat-file', '-e', `${tree}^{tree}`];
    const { exitCode } = await runGit(args, { ...(await trees.git()), accept: [1, 128] });
    return exitCode === 0;
  };
  return {
    async take() {
      const tree = await trees.latest();
      const { patch } = await diffTrees(await trees.git(), await trees.baseline(), tree);
      return { tree, patch };
    },
    async find({ tree, patch }) {
      const from = await trees.baseline();
      if (await isHere(tree)) return tree;
      if (patch === null) return null;
      return patch === '' ? from : patchedTree(await trees.git(), from, patch);
    },
    async changesSince(tree) {
      const { changes, patch } = await diffTrees(await trees.git(), tree, await trees.latest());
      const paths = changes.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [oldPath, path]));
      return { patch, paths };
    },
    async restore(tree) {
      const git = await trees.git();
      const { changes } = await diffTrees(git, await trees.latest(), tree);
      const entries = changes.flatMap(({ path, oldPath, oldMode, newMode, newObject, kind }): KeptEntry[] => {
        if (oldMode === SUBMODULE || newMode === SUBMODULE || isOwnPath(path)) return [];
        const entry = kind === 'delete' ? null : { mode: newMode, object: newObject };
        return [{ path, entry }, ...(oldPath === null ? [] : [{ path: oldPath, entry: null }])];
      });
      return putBack(root, git, entries);
    },
  };
}
