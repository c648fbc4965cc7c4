import type { Change, ChangeSet } from '../contract/change.ts';
import type { TreeWatch } from '../permissions/tree/tree-watch.ts';
import type { ChangeLedger } from './changes/change-ledger.ts';
import type { Checkpoints } from './changes/checkpoints.ts';
import type { ConfinedFiles } from './files/confined-files.ts';
import type { ReadMemory } from './files/read-memory.ts';

/** A checked-out repository as a run sees it: confined files, what was read, what was changed. */
export interface Workspace {
  /** The work tree's real absolute path. */
  readonly root: string;
  /** The folder below it that commands start in where a call names none; '' for the root. */
  readonly start: string;
  /** Null where the folder is no git repository, or has no commit yet. */
  readonly headSha: string | null;
  /** Finds the names that matter in the work tree. */
  watch(): Promise<TreeWatch>;
  readonly files: ConfinedFiles;
  readonly memory: ReadMemory;
  readonly changes: ChangeLedger;
  /** States that it can go back to. */
  readonly checkpoints: Checkpoints;
  /**
   * Remembers the work tree as it is, which is what `finalChanges` and the change ledger start from. To be
   * called before the first command that may change something; `changes` does it by itself. Later calls
   * cost nothing. `standing` is a patch that is in the work tree already and counts as the run's own.
   */
  baseline(standing?: string): Promise<void>;
  /** Begins the baseline ahead, while the tools load, so that `baseline` waits less. What fails is told by `baseline`, if it is ever called. */
  beginBaseline(): void;
  /**
   * Where the throwaway git directory lies that takes the place of `.git` inside the sandbox; made on first
   * use, writable by the agent. It borrows objects (`objects/info/alternates`) from folders that must be seen
   * read-only wherever it is used. Null without git.
   */
  agentGitDirectory(): Promise<string | null>;
  /**
   * Everything that differs from the tree the run started from, from git and not from what tools said. `looked`: nothing can have
   * changed the work tree since the last look of `changes`, so git need not look again.
   */
  finalChanges(looked?: boolean): Promise<ChangeSet>;
  /** The same of the files that these changes name, without a write: where git can keep no more. */
  changesOfCalls(changes: readonly Change[]): Promise<ChangeSet>;
  close(): Promise<void>;
}
