import type { Change } from '../../contract/change.ts';
import type { HeldChange, SeenChange } from '../../permissions/gate/judge-changes.ts';
import type { FileWrite } from '../files/confined-files.ts';

/** Decides which changes of a command are rejected, and is told the result. */
export interface ChangeJudge {
  judge(changes: readonly SeenChange[]): Promise<readonly HeldChange[]>;
  /**
   * Reports the changes that were reverted, and those that could not be. The next look retries the
   * latter.
   */
  tell(putBack: readonly HeldChange[], stuck: readonly HeldChange[]): void;
}

/** Records every change to the work tree and keeps restorable before-images. */
export interface ChangeLedger {
  /** Paths of all entries in order, old names of renames included. The same list grows. */
  readonly changedPaths: readonly string[];
  /**
   * Writes through the confined files: before-images first, then the files, then one entry per
   * file. Writes nothing if a before-image fails. Returns the entries.
   */
  apply(writes: readonly FileWrite[], by: { tool: string; callId: string }): Promise<Change[]>;
  /**
   * Records what a command changed since the last look, by a snapshot diff. Changes that `judge`
   * rejects are reverted first and get no entry.
   */
  observe(by: { tool: string; callId: string }, judge?: ChangeJudge | null): Promise<Change[]>;
  /** Describes what the last look could not revert and the folders it could not read. */
  notPutBack(): readonly string[];
  /**
   * Defers a look (a call of `observe` and the handling of its entries) until `lookNow`. Replaces
   * one that is already deferred.
   */
  lookLater(look: () => Promise<void>): void;
  /**
   * Runs the deferred look: before anything that may change the work tree, and at the end of the
   * run. Returns false if none was deferred. Throws what the look throws.
   */
  lookNow(): Promise<boolean>;
}
