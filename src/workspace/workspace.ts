import type { Change, ChangeSet } from '../contract/change.ts';
import type { TreeWatch } from '../permissions/tree/tree-watch.ts';
import type { ChangeLedger } from './changes/change-ledger.ts';
import type { Checkpoints } from './changes/checkpoints.ts';
import type { ReadMemory } from './changes/read-memory.ts';
import type { ConfinedFiles } from './files/confined-files.ts';

/** A checked-out repository as a run sees it: confined files, read state and changes. */
export interface Workspace {
  /** The work tree's real absolute path. */
  readonly root: string;
  /** Folder below `root` that commands start in by default; '' is the root. */
  readonly start: string;
  /** Null without git, or before the first commit. */
  readonly headSha: string | null;
  /** Finds sensitive names (protected paths, rule files) in the work tree. */
  watch(): Promise<TreeWatch>;
  readonly files: ConfinedFiles;
  readonly memory: ReadMemory;
  readonly changes: ChangeLedger;
  /** Checkpoints of the work tree. */
  readonly checkpoints: Checkpoints;
  /**
   * Records the work tree as the start of `finalChanges` and of the change ledger. Call it before
   * the first command that may change something; `changes` does so itself. Later calls cost
   * nothing. `ownPatch` is a patch that is already in the work tree and counts as the run's own.
   */
  baseline(ownPatch?: string): Promise<void>;
  /** Starts the baseline early. Resolves once git works on it; `baseline` reports errors. */
  beginBaseline(): Promise<void>;
  /**
   * Path of the throwaway git directory that replaces `.git` inside the sandbox. Made on first use
   * and writable by the agent. It borrows objects (`objects/info/alternates`) from folders that
   * must be mounted read-only beside it. Null without git.
   */
  agentGitDirectory(): Promise<string | null>;
  /**
   * Returns all differences from the tree the run started from, as git sees them. `isCurrent` means
   * that nothing can have changed since the last look of `changes`, so git is not asked again.
   */
  finalChanges(isCurrent?: boolean): Promise<ChangeSet>;
  /** Returns the result for only the files in `changes`, without any write: for a full disk. */
  changesOfCalls(changes: readonly Change[]): Promise<ChangeSet>;
  close(): Promise<void>;
}
