import type { ChangeSet } from '../contract/change.ts';
import type { ChangeLedger } from './change-ledger.ts';
import type { ConfinedFiles } from './confined-files.ts';
import type { ReadMemory } from './read-memory.ts';

/** A checked-out repository as a run sees it: confined files, what was read, what was changed. */
export interface Workspace {
  /** The work tree's real absolute path. */
  readonly root: string;
  /** Null where the folder is no git repository, or has no commit yet. */
  readonly headSha: string | null;
  readonly files: ConfinedFiles;
  readonly memory: ReadMemory;
  readonly changes: ChangeLedger;
  /**
   * Where the throwaway git directory lies that takes the place of `.git` inside the sandbox; made on first
   * use. Null without git.
   */
  agentGitDirectory(): Promise<string | null>;
  /** Everything that differs from the tree the run started from, from git and not from what tools said. */
  finalChanges(): Promise<ChangeSet>;
  close(): Promise<void>;
}
