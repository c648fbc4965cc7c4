import type { JudgeChanges } from '../agent/calls/judge-call-changes.ts';
import type { RunLedger } from '../agent/ledger/run-ledger.ts';
import type { AgentResult } from '../agent/loop/run-agent.ts';
import { saveSession, saveStopped } from '../agent/session.ts';
import type { ChangeSet } from '../contract/change.ts';
import { internalError } from '../contract/internal-error.ts';
import type { Preset } from '../contract/levels.ts';
import type { Outcome } from '../contract/outcome.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import type { SavedSession } from '../contract/session.ts';
import { redactMessage, redactValue } from '../permissions/redaction/redact-value.ts';
import type { CommandRunner } from '../permissions/sandbox/command-runner.ts';
import { foldOutcome } from '../reporting/fold-outcome.ts';
import { exportRun } from '../workspace/export-run.ts';
import type { RunFolder } from '../workspace/run-folder.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type Breakage, createBreakage } from './end-broken.ts';
import type { BroughtTools } from './external/external-tools.ts';
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
  /** Why the record of the run is not whole, or not in the checkout, in sentences; left out where it is. */
  readonly unkept?: readonly string[];
}

/** Resources that a run opened, each null until then. */
export interface OpenedRun {
  /** Null in a run that never called a tool. */
  tools: Promise<RunTools> | null;
  external: BroughtTools | null;
  commands: CommandRunner | null;
  programs: Programs | null;
  /** Judges what is changed behind calls. */
  judge: JudgeChanges | null;
}

/** A run whose last turn is over. */
interface EndedRun {
  readonly request: RunRequest;
  /** The end of its loop, or the error that broke it. */
  readonly ended: { readonly result: AgentResult } | { readonly error: unknown };
  readonly workspace: Workspace;
  readonly ledger: RunLedger;
  /** The whole conversation, of which the result has what a compaction left. */
  readonly heard: Pick<HeardWords, 'words'>;
  readonly folder: RunFolder;
  readonly opened: OpenedRun;
  readonly setup: Pick<RunSetup, 'output' | 'variables'> | null;
  readonly preset: Preset;
  readonly secrets: readonly string[];
  readonly redact: (text: string) => string;
  /** Enters something into the ledger, and tells whoever listens. */
  readonly record: (entry: RunEntry) => void;
}

/**
 * Ends what a run started, takes what it changed and recorded for its outcome and what can go on from it, and keeps all of it on
 * the disk. The ledger is closed then. A step that fails takes nothing else with it: the outcome says what failed.
 */
export async function finishRun(run: EndedRun): Promise<FinishedRun> {
  const { ended, workspace, ledger } = run;
  const breakage = createBreakage(ledger, run.heard, run.record);
  const tools = await breakage.step('Loading the tools', async () => run.opened.tools, null);
  const result = 'result' in ended ? ended.result : breakage.endRun(ended.error);
  await endPrograms(run, tools, breakage);
  const changes = await takeChanges(run, breakage);
  await breakage.step(
    'The end of the tools',
    async () => tools?.finish(result.conclusion, ledger),
    undefined,
  );
  await breakage.step('The proof of suggestions', () => prove(run, changes), undefined);
  await breakage.step('The end of programs', async () => run.opened.programs?.close(), undefined);
  const settled = breakage.settle(result);
  const outcome = await foldWhole(ledger.lines, changes, breakage);
  const storage = await breakage.step(
    'The copy of its own files',
    async () =>
      tools === null ? run.request.resume?.session.storage : await tools.services.storage.snapshot(),
    undefined,
  );
  const kept = await breakage.step('Its session', () => sessionsOf(run, settled, changes.patch, storage), {
    session: null,
    stopped: null,
  });
  return {
    ...kept,
    ...(await keepRecord(run, outcome, kept, workspace.root)),
    ledgerFile: run.folder.ledgerFile,
  };
}

/** Ends whatever may still change the tree, and has the changes judged that it made. */
async function endPrograms(run: EndedRun, tools: RunTools | null, { step }: Breakage): Promise<void> {
  const { opened, ledger } = run;
  const { commands, judge } = opened;
  // A run that never called a tool has nothing to end, to hand on or to keep.
  await step('The end of sessions', async () => tools?.endSessions(ledger, judge), undefined);
  await step('The end of tools from elsewhere', async () => opened.external?.close(), undefined);
  // A program that outlives its calls writes between them, and when it is asked to end.
  if (tools !== null && opened.external?.tools != null)
    await step('The last look at its changes', () => tools.endExternal(ledger, judge), undefined);
  // Processes that a command left behind must not change the tree under the final look at it.
  await step('The end of commands', async () => commands?.close(), undefined);
}

/** The final diff. Where it cannot be made, the names of the files that calls changed. */
async function takeChanges({ workspace, ledger, secrets }: EndedRun, { step }: Breakage): Promise<ChangeSet> {
  const named = changesByName(ledger.lines, workspace.headSha);
  const all = await step('The look at its changes', () => workspace.finalChanges(), named);
  const { changes, notes } = withholdSecrets(all, secrets);
  for (const message of notes) ledger.record({ type: 'diagnostic', level: 'warning', message });
  return changes;
}

function changesByName(lines: RunLedger['lines'], headSha: string | null): ChangeSet {
  const changes = lines.flatMap(({ entry }) => (entry.type === 'change' ? [entry.change] : []));
  const files = new Map(changes.map(({ path, kind }) => [path, { path, kind }]));
  const rest = { mode: null, old_mode: null, content: null, binary: false, diff: '' };
  return {
    base_sha: headSha ?? '',
    patch: '',
    files: [...files.values()].map((file) => ({ ...file, ...rest })),
  };
}

async function prove(run: EndedRun, changes: ChangeSet): Promise<void> {
  const { request, preset, setup, record, ledger, folder } = run;
  const { programs } = run.opened;
  if (request.pullRequestDiff == null) return;
  const { proveOutcome } = await import('./proof.ts');
  const proof = { ...request, preset, programs, setup, runFolder: folder.folder, record };
  await proveOutcome(proof, foldOutcome(ledger.lines, changes));
}

/** The whole outcome. Where it cannot be made: its end, cost, findings and patch, as a failure. */
async function foldWhole(
  lines: RunLedger['lines'],
  changes: ChangeSet,
  breakage: Breakage,
): Promise<Outcome> {
  const whole = await breakage.step('The outcome', () => foldOutcome(lines, changes), null);
  if (whole !== null) return whole;
  const least = lines.filter(({ entry }) => ofLeastOutcome.has(entry.type));
  const outcome = foldOutcome(least, { ...changes, files: [] });
  const stop = internalError(new Error('the outcome of the run could not be put together whole'));
  return { ...outcome, conclusion: 'failure', stop: outcome.stop ?? stop };
}

const ofLeastOutcome: ReadonlySet<RunEntry['type']> = new Set([
  ...(['run.started', 'turn.started', 'usage', 'tool.call', 'findings', 'run.finished'] as const),
]);

function sessionsOf(
  { request, ledger, redact }: EndedRun,
  result: AgentResult,
  patch: string,
  storage: SavedSession['storage'] | null,
): Pick<FinishedRun, 'session' | 'stopped'> {
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
    { plan: request.plan, patch, ...(storage == null ? {} : { storage }), now: new Date() },
  ] as const;
  const session = saveSession(...keeping);
  // What may only read here was steered by its base, which going on from the checkout would not be.
  const stopped = request.plan === null && request.readOnly ? null : saveStopped(...keeping);
  return { session, stopped };
}

/**
 * Keeps the record of a run. What is not taken, by a full disk or a checkout that may not be written, is said in the outcome, and the
 * record is where it was written: the run folder.
 */
async function keepRecord(
  run: EndedRun,
  outcome: Outcome,
  { session, stopped }: Pick<FinishedRun, 'session' | 'stopped'>,
  root: string,
): Promise<Pick<FinishedRun, 'outcome' | 'folder' | 'unkept'>> {
  const { request, ledger, folder, redact } = run;
  const unkept: string[] = [];
  const missing = (what: string) => (error: unknown) => {
    unkept.push(redact(`${what}: ${error instanceof Error ? error.message : String(error)}`));
  };
  const keep = async () => {
    if (request.kept !== null) {
      const { kept } = request;
      const { keepPastRun } = await import('./run/keep-past-run.ts');
      const words = run.heard.words();
      await keepPastRun({ ...request, outcome, words, redact, now: new Date() }, kept, ledger).catch(
        missing('The run is not kept for later runs'),
      );
    }
    // Last of all: what could not be kept stands in the record.
    await ledger.close().catch(missing('The record of the run is not whole'));
  };
  // With a plan there is somebody else who keeps it.
  const local = session ?? (request.plan === null ? stopped : null);
  const files = {
    'changes.patch': outcome.changes.patch,
    'outcome.json': JSON.stringify(outcome, null, 2),
    ...(local == null ? {} : { 'session.json': JSON.stringify(local, null, 2) }),
  };
  // Side by side: each waits for the disk a dozen times.
  const exported = await exportRun(folder, root, { files, redact, recorded: keep() }).catch((error) => {
    missing('The record of the run could not be put into the checkout')(error);
    return folder.folder;
  });
  if (unkept.length === 0) return { outcome, folder: exported };
  const diagnostics = [...outcome.diagnostics, ...unkept].slice(-50);
  return { outcome: { ...outcome, diagnostics }, folder: exported, unkept };
}
