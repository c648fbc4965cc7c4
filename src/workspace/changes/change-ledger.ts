import type { Change } from '../../contract/change.ts';
import type { RejectedChange, SeenChange } from '../../permissions/gate/evaluate-changes.ts';
import type { FileWrite } from '../files/confined-files.ts';

/** Decides which changes of a command are rejected, and gets the result. */
export interface ChangeEvaluator {
  evaluate(changes: readonly SeenChange[]): Promise<readonly RejectedChange[]>;
  /**
   * Reports the changes that were reverted, and those that could not be. The next observation
   * retries the latter.
   */
  report(reverted: readonly RejectedChange[], stuck: readonly RejectedChange[]): void;
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
   * Records what a command changed since the last snapshot. Changes that `evaluator` rejects are
   * reverted first and get no entry.
   */
  observe(by: { tool: string; callId: string }, evaluator?: ChangeEvaluator | null): Promise<Change[]>;
  /** Describes what the last observation could not revert and the folders it could not read. */
  notReverted(): readonly string[];
  /**
   * Defers an observation (a call of `observe` and the handling of its entries) until
   * `observeDeferred`. Replaces one that is already deferred.
   */
  observeLater(observation: () => Promise<void>): void;
  /**
   * Runs the deferred observation: before anything that may change the work tree, and at the end of
   * the run. Returns false if none was deferred. Throws what it throws.
   */
  observeDeferred(): Promise<boolean>;
}
