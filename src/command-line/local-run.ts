import path from 'node:path';
import { limitsOf, presetOf } from '../config/defaults.ts';
import type { Config } from '../config/schema.ts';
import { ConfigError } from '../contract/errors.ts';
import { SandboxMode } from '../contract/levels.ts';
import type { RunEvent } from '../contract/run-event.ts';
import type { SavedSession } from '../contract/session.ts';
import type { StateRoot } from '../contract/state-store.ts';
import type { FinishedRun } from '../run/finish-run.ts';
import type { ApprovalAnswer } from '../run/policy/grant-approval.ts';
import { localPlan } from '../run/policy/local-plan.ts';
import { newRunId, type RunInput } from '../run/records/run-context.ts';
import { findGit, readHead } from '../workspace/git/git-layout.ts';
import { describeCheckout, findCheckout } from './find-checkout.ts';
import { localConfig, userSkillsFolder } from './local-config.ts';
import { localSetupFolder } from './local-folders.ts';
import { saveLocalSession } from './local-session.ts';
import { localState } from './local-state.ts';
import { logLine } from './log-line.ts';
import { knownPreset, oneOf, type ParsedArguments, wholeNumber } from './parse-arguments.ts';
import { runLocally } from './run-locally.ts';
import type { Terminal } from './status-line.ts';
import { terminalView } from './terminal-view.ts';
import { tuneCollector } from './tune-collector.ts';
import { wrapText } from './wrap-text.ts';
import { endLast, eventWriter, exitCodes, type OutputFormat, runReport } from './write-output.ts';

/** Options shared by `run` and `resume`. */
export const localRunOptions = {
  cwd: { type: 'string' },
  profile: { type: 'string' },
  preset: { type: 'string' },
  model: { type: 'string' },
  sandbox: { type: 'string' },
  'max-turns': { type: 'string' },
  config: { type: 'string' },
  output: { type: 'string' },
  'output-schema': { type: 'string' },
} as const;

/** Context of a command, from its root `cli.ts`. */
export interface CommandContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Terminal for progress. Default: none. */
  readonly terminal?: () => Terminal | null;
  /** Line width of standard output; null or absent if it is no terminal. */
  readonly width?: () => number | null;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Session that `anode resume` continues. */
export interface ResumedSession {
  readonly session: SavedSession;
  /** True if a run of this user wrote the session. Permissions of any other session are ignored. */
  readonly own: boolean;
  readonly answer: string;
  readonly approval?: ApprovalAnswer;
  /** Called at the first turn: from then on the session belongs to the new run. */
  readonly onBegin: () => void;
}

/** A run on a local checkout. */
export interface LocalRunRequest {
  readonly command: 'run' | 'resume';
  readonly task: string;
  readonly args: ParsedArguments['values'];
  /** Null for a new session. */
  readonly resume: ResumedSession | null;
}

/**
 * Runs on a local checkout and prints in the requested format; returns the exit code. With `resume`
 * it continues a saved session: conversation and changes are restored, and for one of this user's
 * own its options too.
 */
export async function localRun(
  { command, task, args, resume }: LocalRunRequest,
  context: CommandContext,
): Promise<number> {
  const collector = tuneCollector();
  const chosen = readOptions(command, args);
  const { format } = chosen;
  const checkout = await findCheckout(command, args.cwd);
  const { root } = checkout;
  const start = resume?.session.start ?? checkout.start;
  const described = describeCheckout({ ...checkout, start });
  if (described !== null) context.writeError(`${described}\n`);
  const config = await localConfig(chosen.text('config'), context.environment);
  if (resume !== null) refuseApproval(resume, config);
  const schema = chosen.text('output-schema');
  const answerForm =
    schema === undefined ? undefined : await (await import('./answer-form-of.ts')).answerFormOf(schema);
  const state = localState(root, context.environment, (message) => context.writeError(`${message}\n`));
  const ending = endLast(progressOf(format, context));
  const request = { ...requestOf({ command, task, args, resume }, chosen, config), root };
  const finished = await runLocally(
    {
      ...request,
      answerForm,
      plan: localPlan(request),
      setup: { storeFolder: localSetupFolder(context.environment), repository: root, untrusted: null },
      resume: resume && resumedRun(resume, root),
      start,
    },
    {
      userSkills: userSkillsFolder(context.environment),
      config,
      store: state.state,
      environment: context.environment,
      listen: (event: RunEvent) => {
        // Standard output must contain only the one object.
        if (format === 'json' && event.type === 'diagnostic')
          context.writeError(`! ${logLine(event.message)}\n`);
        collector(event);
        if (event.type === 'turn.started') resume?.onBegin();
        ending.listen(event);
      },
      signal: context.signal,
    },
  ).catch((error: unknown) => {
    ending.close();
    throw error;
  });
  const report = format === 'text' ? undefined : runReport(finished.outcome, finished.folder);
  ending.close(report);
  for (const message of finished.unsaved ?? []) context.writeError(`! ${logLine(message)}\n`);
  const goesOn = await saveSession(finished, { root: state.root, args }, context);
  if (format === 'json') context.write(`${JSON.stringify(report, null, 2)}\n`);
  if (format === 'text') await printEnd(finished, goesOn, context);
  return isUnsaved(finished) ? exitCodes.failure : exitCodes[finished.outcome.conclusion];
}

const isUnsaved = ({ unsaved = [] }: FinishedRun): boolean => unsaved.length > 0;

function readOptions(command: string, args: ParsedArguments['values']) {
  const format: OutputFormat = oneOf(
    [command, 'output'],
    args.output,
    ['text', 'json', 'stream-json'],
    'text',
  );
  const sandbox = oneOf([command, 'sandbox'], args.sandbox, SandboxMode.options, 'preferred');
  const maxTurns = wholeNumber(command, 'max-turns', args['max-turns']);
  const text = (name: string) => (typeof args[name] === 'string' ? args[name] : undefined);
  const preset = text('preset');
  if (preset !== undefined) knownPreset(command, preset);
  return { format, sandbox, maxTurns, preset, text };
}

/** The parts of a run that follow from options and configuration. */
function requestOf(
  { task, args, resume }: LocalRunRequest,
  { sandbox, maxTurns, preset, text }: ReturnType<typeof readOptions>,
  config: Config,
) {
  const own = resume?.own === true ? resume.session : null;
  const limits = limitsOf(config);
  return {
    runId: newRunId('run'),
    sessionId: resume?.session.session_id ?? newRunId('sess'),
    task,
    reviewDiff: null,
    threadContext: '',
    profile: text('profile') ?? own?.profile ?? config.profile ?? 'craft',
    // An answer grants no permission: the preset stays unless changed explicitly.
    preset: preset ?? own?.preset ?? presetOf(config),
    readOnly: false,
    sandbox: config.sandbox !== undefined && args.sandbox === undefined ? config.sandbox : sandbox,
    model: text('model') ?? own?.model ?? null,
    limits: maxTurns === null ? limits : { ...limits, max_turns: maxTurns },
    canAsk: true,
    secrets: [],
  } satisfies Partial<RunInput>;
}

/** Throws `ConfigError` for an approval that the configuration does not allow. */
function refuseApproval({ approval }: ResumedSession, config: Config): void {
  if (approval?.verdict !== 'approve' || config.permissions?.onAsk === 'comment') return;
  throw new ConfigError(
    'The configuration of this call lets no run wait for approval (permissions.onAsk), so nothing was approved. Leave --config out to go on under the one that the run was started with.',
    { key: 'permissions.onAsk' },
  );
}

function progressOf(format: OutputFormat, context: CommandContext): (event: RunEvent) => void {
  const watched = format === 'text' ? (context.terminal?.() ?? null) : null;
  if (watched !== null) return terminalView(watched);
  return eventWriter(format, format === 'text' ? context.writeError : context.write);
}

function resumedRun(resume: ResumedSession, root: string) {
  const { session } = resume;
  return { ...resume, patchInCheckout: session.patch, restore: () => noteOnResume(session, root) };
}

/** Saves the session of a run that waits or was stopped. True if a stopped run can be resumed. */
async function saveSession(
  finished: FinishedRun,
  { root, args }: { readonly root: StateRoot; readonly args: ParsedArguments['values'] },
  context: CommandContext,
): Promise<boolean> {
  const { outcome, folder, stopped } = finished;
  const goesOn = stopped != null;
  // A session that was not written cannot be resumed.
  if (isUnsaved(finished) || (outcome.conclusion !== 'waiting' && !goesOn)) return false;
  try {
    await saveLocalSession(root, outcome.run_id, path.join(folder, 'session.json'), args);
    return goesOn;
  } catch (error) {
    // The result of the run does not depend on it.
    const why = error instanceof Error ? error.message : String(error);
    context.writeError(
      `! What this run was started with could not be kept for anode resume: ${logLine(why)}\n`,
    );
    return false;
  }
}

async function printEnd(finished: FinishedRun, goesOn: boolean, context: CommandContext): Promise<void> {
  const { outcome, folder } = finished;
  // Loaded at the end, where it is first needed.
  const { describeOutcome } = await import('./describe-outcome.ts');
  const width = context.width?.() ?? null;
  const answer = width === null ? outcome.answer : wrapText(outcome.answer, width);
  context.write(describeOutcome({ ...outcome, answer }, folder, goesOn));
  // The patch that the record lacks.
  if (isUnsaved(finished) && outcome.changes.patch !== '') context.write(`\n${outcome.changes.patch}`);
}

const sameFolder =
  'The checkout is the same folder: your earlier changes are in it, unless somebody changed them since.';

/** Returns a note for the model: others may have changed the checkout since. */
async function noteOnResume(session: SavedSession, root: string): Promise<string | null> {
  const layout = findGit(root);
  const head = layout === null ? null : readHead(layout).sha;
  const isMoved = session.base_sha !== null && head !== session.base_sha;
  const moved = `Since your last turn HEAD moved from ${session.base_sha} to ${head}; read files again before you edit them.`;
  const notes = [...(isMoved ? [moved] : []), ...(session.patch === '' ? [] : [sameFolder])];
  return notes.length === 0 ? null : notes.join('\n');
}
