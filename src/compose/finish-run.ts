import type { RunLedger } from '../agent/ledger/run-ledger.ts';
import type { AgentResult } from '../agent/loop/run-agent.ts';
import { saveSession, saveStopped } from '../agent/session.ts';
import type { Preset } from '../contract/levels.ts';
import type { Outcome } from '../contract/outcome.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import type { SavedSession } from '../contract/session.ts';
import { redactMessage, redactValue } from '../permissions/redaction/redact-value.ts';
import { foldOutcome } from '../reporting/fold-outcome.ts';
import { exportRun } from '../workspace/export-run.ts';
import type { RunFolder } from '../workspace/run-folder.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { RunTools } from './open-run-tools.ts';
import type { Programs } from './programs/open-programs.ts';
import type { HeardWords } from './run/heard-words.ts';
import type { RunRequest } from './run/run-request.ts';
import { withholdSecrets } from './run/withhold-secrets.ts';
import type { RunSetup } from './setup/compose-setup.ts';

/** What a run left behind. */
export interface FinishedRun {
  readonly outcome: Outcome;
  readonly session: SavedSession | null;
  /** What it can go on from where it was stopped; null, or left out, where it was not. */
  readonly stopped?: SavedSession | null;
  /** The run's record in the checkout, `.anode-harness/<run id>`. */
  readonly folder: string;
  /** The run ledger outside the checkout, which stays when the checkout goes. */
  readonly ledgerFile: string;
}

/** A run whose last turn is over and whose processes have ended. */
interface EndedRun {
  readonly request: RunRequest;
  readonly result: AgentResult;
  readonly workspace: Workspace;
  readonly ledger: RunLedger;
  /** The whole conversation, of which the result has what a compaction left. */
  readonly heard: Pick<HeardWords, 'words'>;
  readonly folder: RunFolder;
  /** Null where it never called a tool. */
  readonly tools: RunTools | null;
  readonly programs: Programs | null;
  readonly setup: Pick<RunSetup, 'output' | 'variables'> | null;
  readonly preset: Preset;
  readonly secrets: readonly string[];
  readonly redact: (text: string) => string;
  /** Enters something into the ledger, and tells whoever listens. */
  readonly record: (entry: RunEntry) => void;
}

/**
 * Takes what a run changed and recorded for its outcome and what can go on from it, and keeps all of it on the disk. The ledger is
 * closed then.
 */
export async function finishRun(run: EndedRun): Promise<FinishedRun> {
  const { request, result, workspace, ledger, folder, tools, programs, redact } = run;
  const { changes, notes } = withholdSecrets(await workspace.finalChanges(), run.secrets);
  for (const message of notes) ledger.record({ type: 'diagnostic', level: 'warning', message });
  await tools?.finish(result.conclusion, ledger);
  if (request.pullRequestDiff != null) {
    const { proveOutcome } = await import('./proof.ts');
    const { preset, setup, record } = run;
    const proof = { ...request, preset, programs, setup, runFolder: folder.folder, record };
    await proveOutcome(proof, foldOutcome(ledger.lines, changes));
  }
  await programs?.close();
  const outcome = foldOutcome(ledger.lines, changes);
  const keeping = [
    {
      ...result,
      stop: redactValue(result.stop, redact),
      // Both are asked for only where something is kept to go on with.
      get messages() {
        return result.messages.map((message) => redactMessage(message, redact, 'keep'));
      },
      get history() {
        return redactValue(result.history, redact);
      },
    },
    ledger.lines,
    {
      plan: request.plan,
      patch: changes.patch,
      storage: tools === null ? request.resume?.session.storage : await tools.services.storage.snapshot(),
      now: new Date(),
    },
  ] as const;
  const session = saveSession(...keeping);
  // What may only read here was steered by its base, which going on from the checkout would not be.
  const stopped = request.plan === null && request.readOnly ? null : saveStopped(...keeping);
  const keep = async () => {
    if (request.kept !== null) {
      const { keepPastRun } = await import('./run/keep-past-run.ts');
      const words = run.heard.words();
      await keepPastRun({ ...request, outcome, words, redact, now: new Date() }, request.kept, ledger);
    }
    // Last of all: what could not be kept stands in the record.
    await ledger.close();
  };
  // With a plan there is somebody else who keeps it.
  const local = session ?? (request.plan === null ? stopped : null);
  const files = {
    'changes.patch': changes.patch,
    'outcome.json': JSON.stringify(outcome, null, 2),
    ...(local === null ? {} : { 'session.json': JSON.stringify(local, null, 2) }),
  };
  // Side by side: each waits for the disk a dozen times.
  const exported = await exportRun(folder, workspace.root, { files, redact, recorded: keep() });
  return { outcome, session, stopped, folder: exported, ledgerFile: folder.ledgerFile };
}
