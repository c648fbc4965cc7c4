import { writeLedgerHead } from '../../agent/ledger/ledger-head.ts';
import type { LedgerEnd, RunLedger } from '../../agent/ledger/open-run-ledger.ts';
import type { RunTrace } from '../../agent/ledger/open-run-trace.ts';
import { isFullDisk, systemReason } from '../../contract/errors.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { SavedSession } from '../../contract/session.ts';
import { exportRun } from '../../workspace/storage/export-run.ts';
import type { RunFolder } from '../../workspace/storage/run-folder.ts';
import type { RunRequest } from './run-context.ts';
import { storePastRun } from './store-past-run.ts';
import type { Transcript } from './transcript.ts';

/** A run with its outcome and session. */
interface RecordedRun {
  readonly request: RunRequest;
  readonly ledger: RunLedger;
  /** The raw events. Default: none, for a run without a model. */
  readonly trace?: Pick<RunTrace, 'close'>;
  /** The whole conversation. Default: none, for a run without a model. */
  readonly transcript?: Pick<Transcript, 'messages'>;
  readonly folder: RunFolder;
  /** The checkout's real path. */
  readonly root: string;
  readonly redact: (text: string) => string;
  readonly outcome: Outcome;
  /** The session for `anode resume`; null for none. */
  readonly session: SavedSession | null;
}

/** The saved record of a run. */
export interface SavedRecord {
  /** The outcome, with a note on each part that was not saved. */
  readonly outcome: Outcome;
  /** The record in the checkout, `.anode-harness/<run id>`; else the run folder. */
  readonly folder: string;
  /** Sentences on why the record is incomplete or not in the checkout. Default: none. */
  readonly unsaved?: readonly string[];
}

/**
 * Saves the record of a run, and closes its ledger. Does not throw for a full disk or a read-only
 * checkout. The outcome then names the problem and its remedy, and the record stays in the run
 * folder.
 */
export async function saveRecord(run: RecordedRun): Promise<SavedRecord> {
  const { request, ledger, folder, root, redact, outcome, session } = run;
  const unsaved: string[] = [];
  const missing = (what: string, remedy: (error: unknown) => string) => (error: unknown) => {
    unsaved.push(redact(`${what}: ${reasonOf(error)}. ${remedy(error)}`));
  };
  const save = async () => {
    const { store } = request;
    if (store !== null) {
      const messages = run.transcript?.messages() ?? [];
      await storePastRun({ ...request, outcome, messages, redact, now: new Date() }, store, ledger).catch(
        missing('The run is not kept for later runs', (error) =>
          isFullDisk(error) ? 'Free space on that disk.' : 'Let this user write there.',
        ),
      );
    }
    // Last, as the ledger has the errors of the others.
    const key = request.environment.ANODE_LEDGER_KEY || undefined;
    await closeBoth(run, (end) => writeLedgerHead(folder.ledgerFile, end, key)).catch(
      missing('The record of the run is not complete', (error) =>
        isFullDisk(error)
          ? `Free space on the disk of ${folder.folder}, or set TMPDIR to a folder on another one.`
          : `The ledger is ${folder.ledgerFile}.`,
      ),
    );
  };
  const files = {
    ...(request.checksOnly === true ? {} : { 'changes.patch': outcome.changes.patch }),
    'outcome.json': JSON.stringify(outcome, null, 2),
    ...(session === null ? {} : { 'session.json': JSON.stringify(session, null, 2) }),
  };
  // In parallel: each waits for the disk a dozen times.
  const exported = await exportRun(folder, root, { files, redact, recorded: save() }).catch((error) => {
    missing('The record of the run could not be put into the checkout', () => {
      const remedy = isFullDisk(error) ? 'Free space on that disk' : `Let this user write ${root}`;
      return `${remedy} to have it there; it is in ${folder.folder}.`;
    })(error);
    return folder.folder;
  });
  if (unsaved.length === 0) return { outcome, folder: exported };
  const diagnostics = [...outcome.diagnostics, ...unsaved].slice(-50);
  return { outcome: { ...outcome, diagnostics }, folder: exported, unsaved };
}

/** Closes ledger and trace, each also if the other fails. `end` gets the end of the ledger. */
async function closeBoth(
  { ledger, trace }: Pick<RecordedRun, 'ledger' | 'trace'>,
  end: (end: LedgerEnd) => Promise<void>,
): Promise<void> {
  const closing = [ledger.close().then(end), trace?.close()];
  await Promise.allSettled(closing);
  await Promise.all(closing);
}

/** Returns the system's reason with its path, or the text of any other error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('syscall' in error)) return error.message.replace(/\.$/u, '');
  const at = 'path' in error && typeof error.path === 'string' ? ` (${error.path})` : '';
  return `${systemReason(error)}${at}`;
}
