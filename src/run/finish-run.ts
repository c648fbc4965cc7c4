import type { AgentResult } from '../agent/loop/agent-run.ts';
import { saveSession, saveStopped } from '../agent/saved-session.ts';
import type { Change, ChangeSet } from '../contract/change.ts';
import { ConfigError, internalError, RunStopped } from '../contract/errors.ts';
import type { Outcome } from '../contract/outcome.ts';
import type { RunEntry, RunLedgerLine } from '../contract/run-ledger.ts';
import type { SavedSession } from '../contract/session.ts';
import { redactMessage, redactValue } from '../redaction/redact-value.ts';
import { foldOutcome } from '../reporting/fold-outcome.ts';
import type { AssembledRun } from './assemble-run.ts';
import type { RunTools } from './open-run-tools.ts';
import { isLocal } from './policy/local-plan.ts';
import { excludeSecrets } from './records/exclude-secrets.ts';
import { type SavedRecord, saveRecord } from './records/save-record.ts';
import { collectFailures, type RunFailures } from './run-failures.ts';

/** The results of a run. */
export interface FinishedRun extends SavedRecord {
  readonly session: SavedSession | null;
  /** The session of a stopped run that can be resumed. Default: null, none. */
  readonly stopped?: SavedSession | null;
  /** The run ledger, outside the checkout and kept without it. */
  readonly ledgerFile: string;
}

/**
 * Ends everything that a run started, and saves its changes, outcome and session to the disk.
 * Closes the ledger. A step that fails stops no other step: the outcome names it.
 */
export async function finishRun(
  run: AssembledRun,
  ended: { readonly result: AgentResult } | { readonly error: unknown },
): Promise<FinishedRun> {
  const { workspace, ledger } = run;
  const failures = collectFailures(ledger, run.transcript, run.record);
  const tools = await failures.step('Loading the tools', async () => run.opened.tools, null);
  const result = 'result' in ended ? ended.result : failures.brokenResult(ended.error);
  const watchedAll = await endPrograms(run, tools, failures);
  const changes = await takeChanges(run, watchedAll, failures);
  await failures.step(
    'The end of the tools',
    async () => tools?.finish(result.conclusion, ledger),
    undefined,
  );
  if (isLocal(run.request.plan)) await failures.step('The earlier contents', () => imagesOf(run), undefined);
  await failures.step('The proof of suggestions', () => prove(run, changes), undefined);
  await failures.step('The end of programs', async () => run.opened.programs?.close(), undefined);
  const concluded = failures.concluded(result);
  const outcome = await foldWhole(ledger.lines, changes, failures);
  const storage = await failures.step(
    'The copy of its own files',
    async () =>
      tools === null ? run.request.resume?.session.storage : await tools.services.storage.snapshot(),
    undefined,
  );
  const sessions = await failures.step(
    'Its session',
    () => sessionsOf(run, concluded, changes.patch, storage),
    {
      session: null,
      stopped: null,
    },
  );
  // A run for GitHub has its stopped session stored by the pipeline.
  const local = sessions.session ?? (isLocal(run.request.plan) ? (sessions.stopped ?? null) : null);
  return {
    ...sessions,
    ...(await saveRecord({ ...run, root: workspace.root, outcome, session: local })),
    ledgerFile: run.folder.ledgerFile,
  };
}

/**
 * Ends everything that may still change the tree, and evaluates those changes. Returns true if git
 * watched all of it.
 */
async function endPrograms(
  run: AssembledRun,
  tools: RunTools | null,
  { step }: RunFailures,
): Promise<boolean> {
  const { opened, ledger, workspace } = run;
  const { commands, evaluateChanges } = opened;
  // A run that never called a tool has no tools to end.
  await step('The end of sessions', async () => tools?.endSessions(ledger, evaluateChanges), undefined);
  await step('The end of tools from elsewhere', async () => opened.external?.close(), undefined);
  // A program that outlives its calls may write between them, and while it ends.
  if (tools !== null && opened.external?.tools != null)
    await step('The last look at its changes', () => tools.endExternal(ledger, evaluateChanges), undefined);
  // Leftover processes must not change the tree during the final comparison.
  await step('The end of commands', async () => commands?.close(), undefined);
  const watchedAll = await step(
    'The look at what commands changed',
    () => workspace.changes.observeDeferred(),
    false,
  );
  await step('The end', () => refuseUnreverted(workspace.changes.notReverted()), undefined);
  return watchedAll;
}

/** Maximum paths in the reason of a run with changes that could not be reverted. */
const mostNamed = 20;

/** Throws if a protected file may still be as a command wrote it: the run must not succeed. */
function refuseUnreverted(unreverted: readonly string[]): void {
  if (unreverted.length === 0) return;
  const rest = unreverted.length > mostNamed ? ` and ${unreverted.length - mostNamed} more` : '';
  const message =
    `Changes that are not allowed may be in the checkout, as they could not be found or reverted: ` +
    `${unreverted.slice(0, mostNamed).join(', ')}${rest}. Revert them by hand before you continue.`;
  throw new RunStopped({ kind: 'internal_error', message });
}

/**
 * Makes the final diff. If git cannot, only the files that calls changed are compared, or at least
 * named.
 */
async function takeChanges(
  { workspace, ledger, secrets }: AssembledRun,
  watchedAll: boolean,
  { step }: RunFailures,
): Promise<ChangeSet> {
  const made = ledger.lines.flatMap(({ entry }) => (entry.type === 'change' ? [entry.change] : []));
  const all =
    (await step('The look at its changes', () => workspace.finalChanges(watchedAll), null)) ??
    (await step('The look at the files of its calls', () => workspace.changesOfCalls(made), null)) ??
    changesByName(made, workspace.headSha);
  const { changes, notes } = excludeSecrets(all, secrets);
  for (const message of notes) ledger.record({ type: 'diagnostic', level: 'warning', message });
  return changes;
}

function changesByName(changes: readonly Change[], headSha: string | null): ChangeSet {
  const files = new Map(changes.map(({ path, kind }) => [path, { path, kind }]));
  const rest = { mode: null, old_mode: null, content: null, binary: false, diff: '' };
  return {
    base_sha: headSha ?? '',
    patch: '',
    files: [...files.values()].map((file) => ({ ...file, ...rest })),
  };
}

/** Completes the earlier contents of a run whose folder is deleted at its end. */
async function imagesOf({ ledger, folder }: AssembledRun): Promise<void> {
  if (!ledger.lines.some(({ entry }) => entry.type === 'change')) return;
  const { exportImages } = await import('../workspace/changes/export-images.ts');
  await exportImages(folder.folder);
}

async function prove(run: AssembledRun, changes: ChangeSet): Promise<void> {
  const { request, preset, setup, record, ledger, folder } = run;
  const { programs } = run.opened;
  if (request.pullRequestDiff == null) return;
  const { proveOutcome } = await import('./proof.ts');
  const proof = { ...request, preset, programs, setup, runFolder: folder.folder, record };
  await proveOutcome(proof, foldOutcome(ledger.lines, changes));
}

function sessionsOf(
  { request, ledger, redact }: AssembledRun,
  result: AgentResult,
  patch: string,
  storage: SavedSession['storage'] | null,
): Pick<FinishedRun, 'session' | 'stopped'> {
  const saving = [
    {
      ...result,
      stop: redactValue(result.stop, redact),
      // Computed only for a session that is saved.
      get messages() {
        return result.messages.map((message) => redactMessage(message, redact, 'keep'));
      },
      get history() {
        return redactValue(result.history, redact);
      },
    },
    ledger.lines,
    {
      plan: isLocal(request.plan) ? null : request.plan,
      patch,
      ...(storage == null ? {} : { storage }),
      now: new Date(),
    },
  ] as const;
  const session = saveSession(...saving);
  // A local read-only run followed its base, which resuming from the checkout would not.
  const stopped = isLocal(request.plan) && request.readOnly ? null : saveStopped(...saving);
  return { session, stopped };
}

/**
 * Makes the outcome. If that fails, the outcome is a failure with the end of the run, its cost,
 * findings and changes, or at least the patch.
 */
export async function foldWhole(
  lines: readonly RunLedgerLine[],
  changes: ChangeSet,
  failures: Pick<RunFailures, 'step'>,
): Promise<Outcome> {
  const whole = await failures.step('The outcome', () => foldOutcome(lines, changes), null);
  if (whole !== null) return whole;
  const least = lines.filter(({ entry }) => ofLeastOutcome.has(entry.type));
  const outcome =
    (await failures.step('The outcome without its details', () => foldOutcome(least, changes), null)) ??
    foldOutcome(least, { ...changes, files: [] });
  const stop = internalError(new Error('the outcome of the run could not be put together completely'));
  return { ...outcome, conclusion: 'failure', stop: outcome.stop ?? stop };
}

const ofLeastOutcome: ReadonlySet<RunEntry['type']> = new Set([
  ...(['run.started', 'turn.started', 'usage', 'tool.call', 'findings', 'run.finished'] as const),
]);

/** Makes the error for a run that a full disk kept from starting. */
export function fullDiskError(folder: string, cause: unknown): ConfigError {
  return new ConfigError(
    `The disk of ${folder}, where the run keeps its record, is full. Free space there, or set TMPDIR to a folder on another disk.`,
    { key: 'TMPDIR' },
    { cause },
  );
}
