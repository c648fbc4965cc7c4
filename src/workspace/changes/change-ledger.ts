import type { Change } from '../../contract/change.ts';
import type { HeldChange, SeenChange } from '../../permissions/gate/judge-changes.ts';
import type { FileWrite } from '../files/confined-files.ts';

/** Says what of the changes of a command may not stand, and hears what became of it. */
export interface ChangeJudge {
  judge(changes: readonly SeenChange[]): Promise<readonly HeldChange[]>;
  /** What was put back as it was before the command, and what could not be: it is tried again at the next look. */
  tell(putBack: readonly HeldChange[], stuck: readonly HeldChange[]): void;
}

/** Makes an entry for every change to the work tree, whoever made it, and keeps restorable before-images. */
export interface ChangeLedger {
  /** The paths of all entries so far, in their order, old names too; the same list, which grows. */
  readonly changedPaths: readonly string[];
  /**
   * Writes through the confined files: before-images first (failing that, nothing is written), then the
   * change, then one entry a file. Returns the entries.
   */
  apply(writes: readonly FileWrite[], by: { tool: string; callId: string }): Promise<Change[]>;
  /**
   * Entries for what a command changed since the last look, from a snapshot diff by git. What `judge` holds is put back first, and has
   * no entry.
   */
  observe(by: { tool: string; callId: string }, judge?: ChangeJudge | null): Promise<Change[]>;
  /** In words, what the last look could not put back, and the places that it could not look into. */
  notPutBack(): readonly string[];
  /** Keeps a look (a call of `observe` and what is done with its entries) for `lookNow`, in place of one that is due already. */
  lookLater(look: () => Promise<void>): void;
  /**
   * Has the look that is due: before something may change the work tree, and at the end of the run. False where none was. Throws what
   * the look throws.
   */
  lookNow(): Promise<boolean>;
}
