import { isOwnPath } from '../files/confine-path.ts';
import { patchedTree } from '../git/patched-tree.ts';
import { runGit } from '../git/run-git.ts';
import { diffTrees } from '../git/tree-diff.ts';
import { restoreEntries, type SavedEntry } from './restore-entries.ts';
import type { RunTrees } from './run-trees.ts';

/** A state of the work tree that can be restored. */
interface Checkpoint {
  /** Git's name of the tree. */
  readonly tree: string;
  /** Patch from the start of the run, for later parts of the session; '' for no difference. */
  readonly patch: string;
}

/**
 * Checkpoints of the work tree as the change ledger last saw it. Callers run `ChangeLedger.observe`
 * first.
 */
export interface Checkpoints {
  take(): Promise<Checkpoint>;
  /**
   * Returns the tree of a checkpoint, rebuilt from its patch if another part of the session took
   * it. Null if the patch no longer fits or was not stored (null).
   */
  find(checkpoint: { readonly tree: string; readonly patch: string | null }): Promise<string | null>;
  /** Returns the patch from `tree` to the work tree, and the changed paths. */
  changesSince(tree: string): Promise<{ readonly patch: string; readonly paths: readonly string[] }>;
  /**
   * Restores the work tree to `tree`, except ignored files and submodules. Returns the paths that
   * could not be restored. The previous state stays in the run's own git; the next `observe`
   * records the changes with before-images.
   */
  restore(tree: string): Promise<readonly string[]>;
}

const SUBMODULE = '160000';

/** Checkpoints of the work tree at `root`, stored as objects of the run's git directory. */
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
      const entries = changes.flatMap(
        ({ path, oldPath, oldMode, newMode, newObject, kind }): SavedEntry[] => {
          if (oldMode === SUBMODULE || newMode === SUBMODULE || isOwnPath(path)) return [];
          const entry = kind === 'delete' ? null : { mode: newMode, object: newObject };
          return [{ path, entry }, ...(oldPath === null ? [] : [{ path: oldPath, entry: null }])];
        },
      );
      return restoreEntries(root, git, entries);
    },
  };
}
