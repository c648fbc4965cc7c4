import path from 'node:path';
import { limitsOf, presetOf } from '../config/defaults.ts';
import { ConfigError } from '../contract/errors.ts';
import { SandboxMode } from '../contract/levels.ts';
import type { RunEvent } from '../contract/run-ledger.ts';
import type { SavedSession } from '../contract/session.ts';
import type { ApprovalAnswer } from '../run/policy/grant-approval.ts';
import { newRunId, run } from '../run/run.ts';
import { findGit, readHead } from '../workspace/git/git-layout.ts';
import { describeCheckout, findCheckout } from './find-checkout.ts';
import { localConfig, userSkillsFolder } from './local-config.ts';
import { localRunsFolder, localSetupFolder } from './local-folders.ts';
import { keepLocalSession } from './local-session.ts';
import { localKeptState } from './local-state.ts';
import { logLine } from './log-line.ts';
import { knownPreset, oneOf, type ParsedArguments, wholeNumber } from './parse-arguments.ts';
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

/**
 * Runs on a local checkout and prints in the requested format; returns the exit code. With `resume`
 * it continues a saved session: conversation and changes are restored, and for one of this user's
 * own its options too.
 */
export async function localRun(
  command: 'run' | 'resume',
  task: string,
  args: ParsedArguments['values'],
  context: CommandContext,
  resume: ResumedSession | null,
): Promise<number> {
  const collector = tuneCollector();
  const own = resume?.own === true ? resume.session : null;
  const format: OutputFormat = oneOf(command, 'output', args.output, ['text', 'json', 'stream-json'], 'text');
  const sandbox = oneOf(command, 'sandbox', args.sandbox, SandboxMode.options, 'preferred');
  const maxTurns = wholeNumber(command, 'max-turns', args['max-turns']);
  const text = (name: string) => (typeof args[name] === 'string' ? args[name] : undefined);
  const preset = text('preset');
  if (preset !== undefined) knownPreset(command, preset);
  const checkout = await findCheckout(command, args.cwd);
  const { root } = checkout;
  const start = resume?.session.start ?? checkout.start;
  const described = describeCheckout({ ...checkout, start });
  if (described !== null) context.writeError(`${described}\n`);
  const config = await localConfig(text('config'), context.environment);
  if (resume?.approval?.verdict === 'approve' && config.permissions?.onAsk !== 'comment')
    throw new ConfigError(
      'The configuration of this call lets no run wait for approval (permissions.onAsk), so nothing was approved. Leave --config out to go on under the one that the run was started with.',
      { key: 'permissions.onAsk' },
    );
  const limits = limitsOf(config);
  const kept = localKeptState(root, context.environment, (message) => context.writeError(`${message}\n`));
  const watched = format === 'text' ? (context.terminal?.() ?? null) : null;
  const progress =
    watched !== null
      ? terminalView(watched)
      : eventWriter(format, format === 'text' ? context.writeError : context.write);
  const ending = endLast(progress);
  const finished = await run(
    {
      runId: newRunId('run'),
      sessionId: resume?.session.session_id ?? newRunId('sess'),
      root,
      start,
      setup: { storeFolder: localSetupFolder(context.environment), repository: root, untrusted: null },
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
      plan: null,
      resume:
        resume === null
          ? null
          : {
              ...resume,
              standing: resume.session.patch,
              restore: async () => noteOnResume(resume.session, root),
            },
      secrets: [],
    },
    {
      runsFolder: localRunsFolder(),
      userSkills: userSkillsFolder(context.environment),
      config,
      store: kept.state,
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
  const { outcome, folder } = finished;
  const report = format === 'text' ? undefined : runReport(outcome, folder);
  ending.close(report);
  const { unkept = [] } = finished;
  for (const message of unkept) context.writeError(`! ${logLine(message)}\n`);
  // A session that was not written cannot be resumed.
  let goesOn = finished.stopped != null && unkept.length === 0;
  if ((outcome.conclusion === 'waiting' && unkept.length === 0) || goesOn) {
    try {
      await keepLocalSession(kept.root, outcome.run_id, path.join(folder, 'session.json'), args);
    } catch (error) {
      // The result of the run does not depend on it.
      goesOn = false;
      const why = error instanceof Error ? error.message : String(error);
      context.writeError(
        `! What this run was started with could not be kept for anode resume: ${logLine(why)}\n`,
      );
    }
  }
  if (format === 'json') context.write(`${JSON.stringify(report, null, 2)}\n`);
  if (format === 'text') {
    // Loaded at the end, where it is first needed.
    const { describeOutcome } = await import('./describe-outcome.ts');
    const width = context.width?.() ?? null;
    const answer = width === null ? outcome.answer : wrapText(outcome.answer, width);
    context.write(describeOutcome({ ...outcome, answer }, folder, goesOn));
    // The patch that the record lacks.
    if (unkept.length > 0 && outcome.changes.patch !== '') context.write(`\n${outcome.changes.patch}`);
  }
  return unkept.length > 0 ? exitCodes.failure : exitCodes[outcome.conclusion];
}

/** Returns a note for the model: others may have changed the checkout meanwhile. */
async function noteOnResume(session: SavedSession, root: string): Promise<string | null> {
  const layout = findGit(root);
  const head = layout === null ? null : readHead(layout).sha;
  if (session.base_sha === null || head === session.base_sha) return null;
  const since = session.stopped === undefined ? 'the question' : 'the run stopped';
  return `Since ${since} HEAD moved from ${session.base_sha} to ${head}; read files again before you edit them.`;
}
