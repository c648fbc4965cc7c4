import { closeSync, constants, lstatSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TreeWatch } from '../../permissions/tree/tree-watch.ts';
import type { GitLayout } from '../git/git-layout.ts';
import { fixAttributes } from '../git/own-attributes.ts';
import { makeOwnGit, type OwnGit } from '../git/own-git.ts';
import { patchedTree } from '../git/patched-tree.ts';
import { entryPath } from '../git/tree-names.ts';
import type { NameChange, NameGuard } from './name-guard.ts';
import { restoreEntries, type SavedEntry } from './restore-entries.ts';
import { createSnapshots, type KnownFile } from './snapshots.ts';

/** File in the git directory with the name of the tree that the run started from. */
export const baselineFile = 'baseline';

/** Trees of one run, in a git directory of our own that the agent cannot reach. */
export interface RunTrees {
  /** Opens the git directory; made on first use. */
  git(): Promise<OwnGit>;
  /**
   * Tree the run started from, taken at the first call, which must precede the first change.
   * `ownPatch` is a patch that is already in the work tree and counts as the run's own.
   */
  baseline(ownPatch?: string): Promise<string>;
  /**
   * Starts the baseline early. Resolves once git works on it, or failed; errors are reported by
   * `baseline`.
   */
  begin(): Promise<void>;
  /** True once `baseline` was called; `begin` does not count. */
  isBaselineRequested(): boolean;
  /** Tree of the last snapshot; the baseline if there was none since. */
  latest(): Promise<string>;
  /** Checks the sensitive names, reverts rule files that git cannot open, and takes a snapshot. */
  take(): Promise<string>;
  /** Checks the sensitive names without git, for when git failed. Empty before the baseline. */
  scanNames(): Promise<readonly NameChange[]>;
  /** Sensitive names found by the last `take`: current state, and reverted rule files. */
  names(): readonly NameChange[];
  /** Describes folders that the last scan for names could not read. */
  unseen(): readonly string[];
  /** Targets of protected links at the last `take`. */
  links(): ReturnType<NameGuard['links']>;
  /** Accepts the names as found at the last `take`, except for these and what is below them. */
  acceptNames(except?: ReadonlySet<string>): void;
  /** Accepts the current state of the sensitive names among these paths. */
  adoptNames(paths: readonly string[]): Promise<void>;
  amend(files: readonly KnownFile[]): Promise<string>;
  /**
   * Tree of the last snapshot with these entries, whatever the disk has. The next snapshot finds
   * them changed.
   */
  without(entries: readonly SavedEntry[]): Promise<string>;
  /** Files added or changed since the baseline that are too large for the last snapshot. */
  omitted(): Promise<readonly string[]>;
  /** Waits for a baseline that was started and not awaited. Never rejects. */
  baselineDone(): Promise<void>;
}

/**
 * Trees of the work tree at `root`, with git's data in `folder`, which must not exist. The baseline
 * includes uncommitted changes and untracked files. A repository is only read, and none is needed.
 */
export function createRunTrees(options: {
  readonly root: string;
  readonly layout: GitLayout | null;
  readonly folder: string;
  /** Finds the sensitive names. Default: a new watch of `root`. */
  readonly watch?: () => Promise<TreeWatch>;
}): RunTrees {
  const { root, layout, folder } = options;
  const guarded = guardNames(root, options.watch);
  let baseline: Promise<string> | null = null;
  let isRequested = false;
  let latest: string | null = null;

  const open = lazily(() => ({
    git: makeOwnGit(layout, folder),
    snapshots: createSnapshots({ cwd: root, gitDirectory: folder, workTree: root }),
  }));
  const remember = (tree: string) => {
    latest = tree;
    return tree;
  };
  const clear = () => guarded.clear(() => open().git);
  const gitStarted = Promise.withResolvers<void>();
  const first = async (ownPatch: string) => {
    const { git, snapshots } = open();
    await guarded.begin(git);
    const taken = snapshots.take();
    gitStarted.resolve();
    const tree = remember(await taken);
    // If the patch no longer fits, a user has edited it since, and it counts as theirs.
    const start =
      ownPatch === '' ? tree : ((await patchedTree(git, tree, ownPatch, { reverse: true })) ?? tree);
    // If this process dies, another one compares with it.
    await writeFile(path.join(folder, baselineFile), start);
    return start;
  };
  const trees: RunTrees = {
    ...guarded.reads,
    git: async () => open().git,
    async begin() {
      baseline ??= first('');
      await Promise.race([gitStarted.promise, baseline.then(ignore, ignore)]);
    },
    isBaselineRequested: () => isRequested,
    baseline(ownPatch = '') {
      isRequested = true;
      baseline ??= first(ownPatch);
      return baseline;
    },
    async latest() {
      const first = await trees.baseline();
      return latest ?? first;
    },
    async take() {
      await trees.baseline();
      guarded.forget();
      await clear();
      return remember(await whileClearing(open().snapshots.take(), clear));
    },
    async scanNames() {
      guarded.forget();
      await clear();
      return guarded.reads.names();
    },
    async amend(files) {
      await trees.baseline();
      return remember(await open().snapshots.amend(files));
    },
    without: async (entries) => remember(await open().snapshots.without(entries)),
    omitted: async () => open().snapshots.omitted(),
    baselineDone: async () => void (await baseline?.catch(() => undefined)),
  };
  return trees;
}

const ignore = () => undefined;

/** Makes a value at the first call. */
function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Guards the sensitive names of one work tree, from its baseline on. */
function guardNames(root: string, sharedWatch: (() => Promise<TreeWatch>) | undefined) {
  // Loaded at the first call, since the first request does not need it.
  const watch =
    sharedWatch ?? (async () => (await import('../../permissions/tree/tree-watch.ts')).createTreeWatch(root));
  let guard: NameGuard | null = null;
  let watched: TreeWatch | null = null;
  let names: NameChange[] = [];
  return {
    reads: {
      names: () => names,
      unseen: () => watched?.unseen() ?? [],
      links: () => guard?.links() ?? [],
      acceptNames: (except?: ReadonlySet<string>) => guard?.accept(except),
      adoptNames: async (paths: readonly string[]) => guard?.adopt(paths),
    },
    async begin(git: OwnGit): Promise<void> {
      const { createNameGuard } = await import('./name-guard.ts');
      watched = await watch();
      guard = createNameGuard(root, watched);
      await guard.begin();
      fixAttributes(git, guard.attributes());
    },
    forget() {
      names = [];
    },
    /** Reverts rule files that git cannot open: a FIFO would block git endlessly. */
    async clear(git: () => OwnGit): Promise<void> {
      const found = (await guard?.scan()) ?? [];
      const odd = found.filter((one) => one.odd !== null);
      for (const { path } of odd) unblockFifo(root, path);
      const entries = odd.map(({ path, before }) => before ?? { path, entry: null, whole: true as const });
      await restoreEntries(root, git(), entries);
      names = [
        ...found.filter((one) => one.odd === null),
        ...names.filter((one) => one.odd !== null),
        ...odd,
      ];
    },
  };
}

/** A running program may make another FIFO while git works. */
const clearEveryMs = 2_000;

async function whileClearing<Result>(work: Promise<Result>, clear: () => Promise<void>): Promise<Result> {
  const ended = work.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([ended, pause(clearEveryMs, false, { ref: false })]))) await clear();
  return work;
}

/** Unblocks a process that waits at a FIFO by opening it for a moment (fifo(7)). */
function unblockFifo(root: string, path: string): void {
  const full = entryPath(root, path);
  try {
    if (lstatSync(full).isFIFO())
      closeSync(openSync(full, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOFOLLOW));
  } catch {
    // The file was deleted, or git may not open it either.
  }
}
