import { closeSync, constants, lstatSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { TreeWatch } from '../../permissions/tree/tree-watch.ts';
import type { GitLayout } from '../git/git-layout.ts';
import { makeOwnGit, type OwnGit } from '../git/own-git.ts';
import { patchedTree } from '../git/patched-tree.ts';
import { entryPath } from '../git/tree-names.ts';
import type { NameChange, NameGuard } from './name-guard.ts';
import { type KeptEntry, putBack } from './put-back.ts';
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
  /** Looks at the names that matter, puts back files of rules that git cannot open, and takes a snapshot. */
  take(): Promise<string>;
  /** Looks at the names that matter without git's help, for what git could not look at. Nothing where no baseline was taken. */
  lookAtNames(): Promise<readonly NameChange[]>;
  /** What the last `take` found of names that matter: as they stand, and files of rules that it put back. */
  names(): readonly NameChange[];
  /** The places, in words, that the last look at names could not look into. */
  unseen(): readonly string[];
  /** Where protected links led at the last `take`. */
  links(): ReturnType<NameGuard['links']>;
  /** Those names count as they were found at the last `take`, but for these and what is below them. */
  acceptNames(except?: ReadonlySet<string>): void;
  /** Those of these paths that matter count as they stand now. */
  adoptNames(paths: readonly string[]): Promise<void>;
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
  /** Finds the names that matter; left out, one of its own. */
  readonly watch?: () => Promise<TreeWatch>;
}): RunTrees {
  const { root, layout, folder } = options;
  // What the first request does not need is loaded for the first call.
  const watch =
    options.watch ??
    (async () => (await import('../../permissions/tree/tree-watch.ts')).createTreeWatch(root));
  let guard: NameGuard | null = null;
  let watched: TreeWatch | null = null;
  let names: NameChange[] = [];
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
  /** A FIFO in the place of a file of rules would hold git up without end. */
  const clear = async () => {
    const found = (await guard?.look()) ?? [];
    const odd = found.filter((one) => one.odd !== null);
    for (const { path } of odd) letOpen(root, path);
    await putBack(
      root,
      open().git,
      odd.map(({ path, before }) => before ?? { path, entry: null, whole: true }),
    );
    names = [...found.filter((one) => one.odd === null), ...names.filter((one) => one.odd !== null), ...odd];
  };
  const first = async (standing: string) => {
    const { git, snapshots } = open();
    const [{ createNameGuard }, { fixAttributes }] = await Promise.all([
      import('./name-guard.ts'),
      import('../git/own-attributes.ts'),
    ]);
    watched = await watch();
    guard = createNameGuard(root, watched);
    await guard.begin();
    fixAttributes(git, guard.attributes());
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
      names = [];
      await clear();
      return remember(await whileClearing(open().snapshots.take(), clear));
    },
    async lookAtNames() {
      names = [];
      await clear();
      return names;
    },
    names: () => names,
    unseen: () => watched?.unseen() ?? [],
    links: () => guard?.links() ?? [],
    acceptNames: (except) => guard?.accept(except),
    async adoptNames(paths) {
      await guard?.adopt(paths);
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

/** A program that still runs may make one anew while git is at work. */
const clearEveryMs = 2_000;

async function whileClearing<Result>(work: Promise<Result>, clear: () => Promise<void>): Promise<Result> {
  const ended = work.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([ended, pause(clearEveryMs, false, { ref: false })]))) await clear();
  return work;
}

/** Lets whoever waits at a FIFO go on, by having opened it for a moment (fifo(7)). */
function letOpen(root: string, path: string): void {
  const full = entryPath(root, path);
  try {
    if (lstatSync(full).isFIFO())
      closeSync(openSync(full, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOFOLLOW));
  } catch {
    // It is gone, or may not be opened by git either.
  }
}
