import { RunStopped, ToolError } from '../contract/errors.ts';
import type { RunLimits, StopReason } from '../contract/limits.ts';
import { monotonicMs } from '../contract/monotonic-ms.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import { noSpent, noUsage } from '../contract/usage.ts';
import type { RunState, ToolServices } from '../tools/tool.ts';
import type { OuterContext } from './calls/call-tool.ts';
import { createChangeTurns } from './calls/change-turns.ts';
import { judgedAs } from './calls/judge-call-changes.ts';
import type { ChildRuns } from './children/child-runs.ts';
import { lazyChildRuns } from './children/lazy-child-runs.ts';
import { type HistoryFold, newHistoryFold } from './context/history-fold.ts';
import { type LoopRequests, noRequests } from './context/loop-requests.ts';
import { limitCalls, openDelegations } from './limits/call-limits.ts';
import { openRunBudget, type SpentBefore, spentBefore } from './limits/run-budget.ts';
import type { AgentResult } from './loop/agent-run.ts';
import type { Approvals } from './loop/approval-requests.ts';
import { runAgent } from './loop/run-agent.ts';
import { type RunFamily, type RunSettings, sharedContext } from './loop/run-family.ts';
import type { ToolCalls } from './loop/tool-calls.ts';
import { type FilesInPlay, newFilesInPlay } from './notes/files-in-play.ts';
import { systemPrompt } from './prompt/system-prompt.ts';

/** The settings of a run of which nothing was done yet. */
type BeforeStart = Omit<
  RunSettings,
  'services' | 'sandboxed' | 'gate' | 'judgeChanges' | 'after' | 'messages' | 'open' | 'decided' | 'grants'
>;

/** The parts of a main run that its tools share. */
interface MainRun {
  readonly settings: RunSettings;
  readonly family: RunFamily;
  readonly record: (entry: RunEntry) => void;
  readonly state: RunState;
  readonly requests: LoopRequests;
  readonly play: FilesInPlay;
  readonly children: ChildRuns;
}

/** Starts the main run of a family and records its beginning. */
export async function startRun(settings: RunSettings): Promise<AgentResult> {
  const { before, profile } = settings;
  const spent = spentOf(settings);
  const family = openFamily(settings, spent);
  const history = newHistoryFold(before?.history, before?.turns);
  if (settings.said) history.heard(settings.said.question, settings.said.words);
  const record = recorder(settings, history);
  record(startedEntry(settings, settings.sandboxed ? 'on' : 'off'));
  for (const message of settings.messages) settings.ledger.record({ type: 'message', message });
  recordBefore(settings, record);
  const play = newFilesInPlay();
  const children = lazyChildRuns(family, record);
  const requests = noRequests();
  const run: MainRun = { settings, family, record, state: stateOf(settings), requests, play, children };
  let loaded: Promise<ToolCalls> | null = null;
  return runAgent({
    model: settings.model,
    profile,
    system: systemPrompt(profile, settings.presetName, {
      approvals: settings.canApprove,
      sandboxed: settings.sandboxed,
      commandsReadOnly: settings.commandsReadOnly === true,
    }),
    messages: settings.messages,
    open: settings.open,
    turnsBefore: before?.turns ?? 0,
    uncounted: { ...(spent?.uncounted ?? noSpent), duration_ms: spent?.whole.duration_ms ?? 0 },
    maxTurns: maxTurnsOf(settings),
    budget: family.budget,
    adverts: settings.adverts,
    context: settings.context,
    history,
    record: play.recording(record),
    toolCalls: () => {
      loaded ??= loadToolCalls(run);
      return loaded;
    },
    requests,
    notes: [...(settings.notes?.({ play, child: false }) ?? []), children.news],
    children,
    ledger: settings.ledger,
    listen: settings.listen,
    signal: family.signal,
    now: monotonicMs,
  });
}

function openFamily(settings: RunSettings, spent: SpentBefore | null): RunFamily {
  const { limits, profile, now } = settings;
  const { usage, cost_usd } = spent?.counted ?? {};
  return {
    settings,
    budget: openRunBudget(withCallLimit(limits, profile.maxCallsPerRun), now, usage, cost_usd),
    signal: withDeadline(settings.signal, limits.timeout_seconds),
    delegations: openDelegations(profile),
    changing: createChangeTurns(),
    limitCall: limitCalls(profile.maxCallsPerTool),
  };
}

function stateOf({ before, profile, reviewed, foreground }: RunSettings): RunState {
  return {
    todos: before?.todos ?? [],
    findings: before?.findings ?? [],
    reviewed,
    skills: profile.skills,
    experiment: before?.experiment ?? null,
    message: { foreground: foreground === true, text: before?.committed?.text ?? null },
  };
}

/** Records again what earlier parts of the session left, so that the report has it. */
function recordBefore({ before, decided, grants }: RunSettings, record: (entry: RunEntry) => void): void {
  if (before !== null) recordResults(before, record);
  for (const one of [...(before?.decided ?? []), ...(decided ? [decided] : [])])
    record({ type: 'approval.decided', decided: one });
  for (const grant of grants) record({ type: 'grant', grant });
}

function recordResults(
  { todos, experiment, approvals, findings, committed }: NonNullable<RunSettings['before']>,
  record: (entry: RunEntry) => void,
): void {
  if (todos.length > 0) record({ type: 'todos', todos });
  if (experiment !== undefined) record({ type: 'experiment', ...experiment });
  for (const approval of approvals) record({ type: 'approval.required', approval });
  if (findings.length > 0) record({ type: 'findings', findings });
  if (committed !== undefined) record({ type: 'answer.committed', mode: 'replace', ...committed });
}

/** Loads the tools and what executes them. Most of it is not needed for the first request. */
async function loadToolCalls(run: MainRun): Promise<ToolCalls> {
  const { settings, family, record, play } = run;
  const [first, ...more] = [...(settings.sooner ?? []), settings.registry] as const;
  const [{ makeToolCalls, sharedPorts }, { makeApprovals }, atHand, services] = await Promise.all([
    import('./loop/tool-calls.ts'),
    import('./loop/approval-requests.ts'),
    first(),
    settings.services(),
  ]);
  const { profile, external } = settings;
  const ports = sharedPorts(family, services, { profile, builtin: { atHand, more }, record, external });
  const approvals = makeApprovals(settings, ports.tools, record);
  return makeToolCalls({
    ...ports,
    touched: play.touched,
    gate: (call) => settings.gate(call, 'main'),
    judgeChanges: judgedAs(settings.judgeChanges, 'main'),
    context: (callId, onlyReads) => contextOf(run, services, approvals, { callId, onlyReads }),
    ...approvals.ports,
  });
}

function contextOf(
  { settings, family, record, state, requests, play, children }: MainRun,
  services: ToolServices,
  approvals: Approvals,
  call: { readonly callId: string; readonly onlyReads: boolean },
): OuterContext {
  return {
    ...sharedContext(family, services, { ...call, record: play.recording(record), state, requests }),
    ask: async (question) => {
      if (!settings.canAsk)
        throw new ToolError(
          'unavailable',
          'Nobody can be asked in this run. Decide yourself and say what you assumed.',
        );
      record({ type: 'question', question });
      throw new RunStopped({ kind: 'waiting', message: `Waiting for an answer: ${question.question}` });
    },
    requestPermissions: async (request) => approvals.requestPermissions(call.callId, request),
    children,
    runChild: async (request) => {
      const end = await family.delegations.begin(family.signal);
      try {
        return await (await import('./children/child-run.ts')).runChild(request, family, record);
      } finally {
        end();
      }
    },
  };
}

/**
 * Ends a run that may not even start, such as one that requires a sandbox where there is none: its
 * record says why, so that the report does.
 */
export function refuseStart(settings: BeforeStart, stop: StopReason): AgentResult {
  const record = recorder(settings);
  record(startedEntry(settings, 'missing'));
  const result: AgentResult = {
    conclusion: 'failure',
    answer: '',
    stop,
    turns: 0,
    usage: noUsage,
    costUsd: 0,
    durationMs: 0,
    messages: [],
    history: newHistoryFold().history,
    waitingCallId: null,
  };
  const { conclusion, answer, turns, usage } = result;
  record({ type: 'run.finished', conclusion, answer, stop, turns, usage, cost_usd: 0, duration_ms: 0 });
  return result;
}

/** Minimum turns after an answer, however late the question came. */
const leastTurns = 3;

/**
 * The turns of this part of the session. After an answer those are left that were not used; what
 * was stopped has all anew.
 */
function maxTurnsOf(settings: Pick<RunSettings, 'limits' | 'profile' | 'before' | 'model'>): number {
  const most = settings.limits.max_turns ?? settings.profile.maxTurns;
  const used = spentOf(settings)?.counted.turns ?? 0;
  return Math.max(Math.min(leastTurns, most), most - used);
}

/** Returns the usage of earlier parts. Null for a new session. */
function spentOf({ before, model }: Pick<RunSettings, 'before' | 'model'>): SpentBefore | null {
  return before === null ? null : spentBefore(before, (usage) => model.cost(usage));
}

function startedEntry(settings: BeforeStart, sandbox: string): RunEntry {
  const spent = spentOf(settings);
  return {
    type: 'run.started',
    run_id: settings.runId,
    session_id: settings.sessionId,
    parent_run_id: null,
    model: settings.model.name,
    profile: settings.profile.name,
    preset: settings.presetName,
    sandbox,
    prompt: settings.prompt,
    max_turns: maxTurnsOf(settings),
    base_sha: settings.baseSha,
    ...(settings.start === undefined || settings.start === '' ? {} : { start: settings.start }),
    ...(spent === null ? {} : { before: spent.whole }),
    ...(spent === null || spent.uncounted === noSpent ? {} : { uncounted: spent.uncounted }),
    ...(settings.goesOnFrom === undefined ? {} : { after: settings.goesOnFrom }),
  };
}

/**
 * Records into the ledger and tells the listener what is kept there: without secrets, as all that
 * leaves.
 */
function recorder(
  settings: Pick<RunSettings, 'ledger' | 'listen'>,
  history: Pick<HistoryFold, 'add'> | null = null,
): (entry: RunEntry) => void {
  return (entry) => {
    settings.ledger.record(entry);
    const kept = settings.ledger.last;
    if (kept === null) return;
    history?.add(kept);
    if (kept.type !== 'message') settings.listen(kept);
  };
}

/** The stricter of the two limits on calls. */
function withCallLimit(limits: RunLimits, most: number | null): RunLimits {
  const { max_tool_calls: given } = limits;
  if (most === null) return limits;
  return { ...limits, max_tool_calls: given === null ? most : Math.min(given, most) };
}

function withDeadline(signal: AbortSignal, seconds: number | null): AbortSignal {
  if (seconds === null) return signal;
  const deadline = new AbortController();
  const message = `The run took longer than the ${seconds} seconds allowed.`;
  const timer = setTimeout(
    () => deadline.abort(new RunStopped({ kind: 'time_limit', message })),
    seconds * 1000,
  );
  // The deadline must not keep a finished process alive.
  timer.unref();
  return AbortSignal.any([signal, deadline.signal]);
}
