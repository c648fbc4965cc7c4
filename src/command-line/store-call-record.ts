import { writeLedgerHead } from '../agent/ledger/ledger-head.ts';
import type { RunLedger } from '../agent/ledger/open-run-ledger.ts';
import { exportImages } from '../workspace/changes/export-images.ts';
import { removeTree } from '../workspace/files/remove-tree.ts';
import { exportRun } from '../workspace/storage/export-run.ts';
import type { RunFolder } from '../workspace/storage/run-folder.ts';

/** The record of a manual call: its folder, and notes for the user. */
export interface StoredCall {
  readonly record: string;
  readonly notes: readonly string[];
}

/**
 * Closes the record of a manual call and moves it into the checkout. If it cannot be put there, it
 * stays in its folder, and a note says why.
 */
export async function storeCallRecord(call: {
  readonly root: string;
  readonly folder: RunFolder;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly redact: (text: string) => string;
  readonly ledger: RunLedger;
  /** True if it changed files, so that they can be restored. */
  readonly changes: boolean;
}): Promise<StoredCall> {
  const { root, folder, redact, ledger } = call;
  const end = await ledger.close();
  await writeLedgerHead(folder.ledgerFile, end, call.environment.ANODE_LEDGER_KEY || undefined);
  try {
    if (call.changes) await exportImages(folder.folder);
    const record = await exportRun(folder, root, { redact });
    await removeTree(folder.folder);
    return { record, notes: [] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      record: folder.folder,
      notes: [`The record of this call is in ${folder.folder}, as it could not be put into ${root}: ${why}`],
    };
  }
}
