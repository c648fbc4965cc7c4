import type { Change } from '../contract/change.ts';
import type { FileWrite } from './confined-files.ts';

/** Makes an entry for every change to the work tree, whoever made it, and keeps restorable before-images. */
export interface ChangeLedger {
  /**
   * Writes through the confined files: before-images first (failing that, nothing is written), then the
   * change, then one entry a file. Returns the entries.
   */
  apply(writes: readonly FileWrite[], by: { tool: string; callId: string }): Promise<Change[]>;
  /**
   * Entries for what a command changed since the last look, from a snapshot diff by git. Costs nothing when
   * the caller knows that the command only read.
   */
  observe(by: { tool: string; callId: string }): Promise<Change[]>;
}
