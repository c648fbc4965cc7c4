import type { GitLayout } from './git-layout.ts';
import { makeOwnGit, type OwnGit } from './own-git.ts';
import { patchedTree } from './patched-tree.ts';
import type { KeptEntry } from './put-back.ts';
import { createSnapshots, type KnownFile, type Snapshots } from './snapshots.ts';

/** The trees of one run, kept in a git directory of our own that nothing of the agent's can reach. */
export interface RunTrees {
  /** That directory; made on first use. */
  git(): Promise<OwnGit>;
  /**
   * The tree the run started from: taken at the first call, which must come before the first change. `standing` is a
   * patch that is in the work tree already and counts as the run's own.
   */
  baseline(standing?: string): Promise<string>;
  /** Begins the baseline ahead of whoever asks for it, who is told what fails. */
  begin(): void;
  /** True once a baseline was asked for: `begin` alone asks for none. */
  asked(): boolean;
  /** The tree of the last snapshot; the baseline when there was none since. */
  latest(): Promise<string>;
  take(): Promise<string>;
  amend(files: readonly KnownFile[]): Promise<string>;
  /** The tree of the last snapshot with paths as told, whatever stands there: the next snapshot finds them changed. */
  without(entries: readonly KeptEntry[]): Promise<string>;
  /** Files that came or changed since the baseline, and are too large to be in the last snapshot. */
  leftOut(): Promise<readonly string[]>;
  /** Waits for a baseline that was begun and that nobody waited for, whatever came of it. */
  settled(): Promise<void>;
}

/**
 * Trees of the work tree at `root`, with git's data in `folder`, which must not exist. Uncommitted changes
 * and untracked files are part of the baseline. The repository, where there is one, is only read; without
 * one the same works by itself.
 */
export function createRunTrees(options: {
  readonly root: string;
  readonly layout: GitLayout | null;
  readonly folder: string;
}): RunTrees {
  const { root, layout, folder } = options;
  let opened: { git: OwnGit; snapshots: Snapshots } | null = null;
  let baseline: Promise<string> | null = null;
  let asked = false;
  let latest: string | null = null;

  const open = () => {
    opened ??= {
      git: makeOwnGit(layout, folder),
      snapshots: createSnapshots({ cwd: root, gitDirectory: folder, workTree: root }),
    };
    return opened;
  };
  const remember = (tree: string) => {
    latest = tree;
    return tree;
  };
  const first = async (standing: string) => {
    const { git, snapshots } = open();
    const tree = remember(await snapshots.take());
    // Where the patch does not fit any more, somebody has worked on it since: it is theirs now.
    return standing === '' ? tree : ((await patchedTree(git, tree, standing, { reverse: true })) ?? tree);
  };
  const trees: RunTrees = {
    git: async () => open().git,
    begin() {
      baseline ??= first('');
      baseline.catch(() => undefined);
    },
    asked: () => asked,
    baseline(standing = '') {
      asked = true;
      baseline ??= first(standing);
      return baseline;
    },
    async latest() {
      const first = await trees.baseline();
      return latest ?? first;
    },
    async take() {
      await trees.baseline();
      return remember(await open().snapshots.take());
    },
    async amend(files) {
      await trees.baseline();
      return remember(await open().snapshots.amend(files));
    },
    async without(entries) {
      return remember(await open().snapshots.without(entries));
    },
    leftOut: async () => open().snapshots.leftOut(),
    async settled() {
      await baseline?.catch(() => undefined);
    },
  };
  return trees;
}
