import type { RunLedger } from '../../agent/ledger/open-run-ledger.ts';
import { isFullDisk, systemReason } from '../../contract/errors.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { SavedSession } from '../../contract/session.ts';
import { exportRun } from '../../workspace/storage/export-run.ts';
import type { RunFolder } from '../../workspace/storage/run-folder.ts';
import type { RunRequest } from './run-context.ts';
import { storePastRun } from './store-past-run.ts';
import type { Transcript } from './transcript.ts';

/** A run with its outcome, and what can go on from it. */
interface RecordedRun {
  readonly request: RunRequest;
  readonly ledger: RunLedger;
  /** The whole conversation; left out where no model took part. */
  readonly transcript?: Pick<Transcript, 'messages'>;
  readonly folder: RunFolder;
  /** The checkout's real path. */
  readonly root: string;
  readonly redact: (text: string) => string;
  readonly outcome: Outcome;
  /** For `anode resume`; null where nothing can go on. */
  readonly session: SavedSession | null;
}

/** The record of a run as it was kept. */
export interface SavedRecord {
  /** The outcome, with a note on each part that was not kept. */
  readonly outcome: Outcome;
  /** The record in the checkout, `.anode-harness/<run id>`; the run folder where the checkout does not take it. */
  readonly folder: string;
  /** Why the record of the run is not whole, or not in the checkout, in sentences; left out where it is. */
  readonly unsaved?: readonly string[];
}

/**
 * Keeps the record of a run, and closes its ledger. Never throws for what is not taken, by a full disk or a checkout that may not be
 * written: the outcome says so, with the remedy, and the record is where it was written, the run folder.
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
    // Last of all: what could not be kept stands in the record.
    await ledger
      .close()
      .catch(
        missing('The record of the run is not whole', (error) =>
          isFullDisk(error)
            ? `Free space on the disk of ${folder.folder}, or set TMPDIR to a folder on another one.`
            : `It is ${folder.ledgerFile}.`,
        ),
      );
  };
  const files = {
    ...(request.checksOnly === true ? {} : { 'changes.patch': outcome.changes.patch }),
    'outcome.json': JSON.stringify(outcome, null, 2),
    ...(session === null ? {} : { 'session.json': JSON.stringify(session, null, 2) }),
  };
  // Side by side: each waits for the disk a dozen times.
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

/** The system's reason with the path it is about; the words of any other error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('syscall' in error)) return error.message.replace(/\.$/u, '');
  const at = 'path' in error && typeof error.path === 'string' ? ` (${error.path})` : '';
  return `${systemReason(error)}${at}`;
}
