import { RunStopped, ToolError } from '../contract/errors.ts';
import { omitUndefined } from '../contract/json.ts';
import type { RunLimits, StopReason } from '../contract/limits.ts';
import { monotonicMs } from '../contract/monotonic-ms.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import { noSessionUsage, noUsage } from '../contract/usage-sums.ts';
import type { RunState, ToolServices } from '../tools/tool.ts';
import type { OuterContext } from './calls/call-tool.ts';
import { createChangeQueue } from './calls/change-queue.ts';
import { evaluateAs } from './calls/evaluate-call-changes.ts';
import type { ChildRuns } from './children/child-runs.ts';
import { lazyChildRuns } from './children/lazy-child-runs.ts';
import { newHistoryFold } from './context/history-fold.ts';
import { type LoopRequests, noRequests } from './context/loop-requests.ts';
import { openRecorder } from './ledger/recorder.ts';
import { limitCalls, openDelegations } from './limits/call-limits.ts';
import { type EarlierUsage, earlierUsage, openRunBudget } from './limits/run-budget.ts';
import { withDeadline } from './limits/stop-reasons.ts';
import type { AgentResult } from './loop/agent-run.ts';
import type { Approvals } from './loop/approval-requests.ts';
import { runAgent } from './loop/run-agent.ts';
import { type RunSettings, type RunTree, sharedContext } from './loop/run-tree.ts';
import type { ToolCalls } from './loop/tool-calls.ts';
import { systemPrompt } from './prompt/system-prompt.ts';
import { newTouchedFiles, type TouchedFiles } from './reminders/touched-files.ts';

/** The settings of a run of which nothing was done yet. */
type BeforeStart = Omit<
  RunSettings,
  'services' | 'sandboxed' | 'gate' | 'evaluateChanges' | 'after' | 'messages' | 'open' | 'decided' | 'grants'
>;

/** The parts of a main run that its tools share. */
interface MainRun {
  readonly settings: RunSettings;
  readonly runTree: RunTree;
  readonly record: (entry: RunEntry) => void;
  readonly state: RunState;
  readonly requests: LoopRequests;
  readonly touched: TouchedFiles;
  readonly children: ChildRuns;
}

/** Starts the main run of a family and records its beginning. */
export async function startRun(settings: RunSettings): Promise<AgentResult> {
  const { before, profile } = settings;
  const earlier = earlierUsageOf(settings);
  const runTree = openRunTree(settings, earlier);
  const history = newHistoryFold(before?.history, before?.turns);
  if (settings.reply) history.addReply(settings.reply.question, settings.reply.text);
  const { record } = openRecorder(settings.ledger, settings.listen, history);
  record(startedEntry(settings, settings.sandboxed ? 'on' : 'off'));
  const system = systemPrompt(profile, settings.presetName, {
    approvals: settings.canApprove,
    sandboxed: settings.sandboxed,
    commandsReadOnly: settings.commandsReadOnly === true,
    patchOnly: settings.patchOnly === true,
  });
  const { toolDefinitions, messages, reviewed: diff } = settings;
  const prompt = { model: settings.model.name, system, toolDefinitions, messages, diff };
  const provenance = settings.provenance?.(prompt);
  if (provenance !== undefined) record({ type: 'provenance', provenance });
  for (const message of messages) settings.ledger.record({ type: 'message', message });
  recordBefore(settings, record);
  const touched = newTouchedFiles();
  const children = lazyChildRuns(runTree, record);
  const requests = noRequests();
  const run: MainRun = { settings, runTree, record, state: stateOf(settings), requests, touched, children };
  let loaded: Promise<ToolCalls> | null = null;
  return runAgent({
    model: settings.model,
    profile,
    system,
    messages: settings.messages,
    open: settings.open,
    turnsBefore: before?.turns ?? 0,
    uncounted: { ...(earlier?.uncounted ?? noSessionUsage), duration_ms: earlier?.whole.duration_ms ?? 0 },
    maxTurns: maxTurnsOf(settings),
    budget: runTree.budget,
    toolDefinitions,
    context: settings.context,
    history,
    record: touched.recording(record),
    toolCalls: () => {
      loaded ??= loadToolCalls(run);
      return loaded;
    },
    requests,
    reminders: [...(settings.reminders?.({ touched, child: false }) ?? []), children.news],
    children,
    answerForm: settings.answerForm,
    ledger: settings.ledger,
    listen: settings.listen,
    signal: runTree.signal,
    now: monotonicMs,
  });
}

function openRunTree(settings: RunSettings, earlier: EarlierUsage | null): RunTree {
  const { limits, profile, now } = settings;
  const { usage, cost_usd } = earlier?.counted ?? {};
  const { timeout_seconds: seconds } = limits;
  const tooLate = `The run took longer than the ${seconds} seconds allowed.`;
  return {
    settings,
    budget: openRunBudget(withCallLimit(limits, profile.maxCallsPerRun), now, usage, cost_usd),
    signal: withDeadline(settings.signal, seconds === null ? null : seconds * 1000, tooLate),
    delegations: openDelegations(profile),
    changeQueue: createChangeQueue(),
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

/** Records the results of earlier parts of the session again, so that the report contains them. */
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
  const { settings, runTree, record, touched } = run;
  // Loading occupies this process, so git starts before: 80 ms in 20,000 files, by a paired run.
  await settings.beforeTools?.();
  const [first, ...more] = [...(settings.preload ?? []), settings.registry] as const;
  const [{ makeToolCalls, sharedPorts }, { makeApprovals }, atHand, services] = await Promise.all([
    import('./loop/tool-calls.ts'),
    import('./loop/approval-requests.ts'),
    first(),
    settings.services(),
  ]);
  const { profile, external } = settings;
  const ports = sharedPorts(runTree, services, { profile, builtin: { atHand, more }, record, external });
  const approvals = makeApprovals(settings, ports.tools, record);
  return makeToolCalls({
    ...ports,
    touched: touched.add,
    gate: (call) => settings.gate(call, 'main'),
    evaluateChanges: evaluateAs(settings.evaluateChanges, 'main'),
    context: (callId, onlyReads) => contextOf(run, services, approvals, { callId, onlyReads }),
    ...approvals.ports,
  });
}

function contextOf(
  { settings, runTree, record, state, requests, touched, children }: MainRun,
  services: ToolServices,
  approvals: Approvals,
  call: { readonly callId: string; readonly onlyReads: boolean },
): OuterContext {
  return {
    ...sharedContext(runTree, services, { ...call, record: touched.recording(record), state, requests }),
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
      const end = await runTree.delegations.begin(runTree.signal);
      try {
        return await (await import('./children/child-run.ts')).runChild(request, runTree, record);
      } finally {
        end();
      }
    },
  };
}

/**
 * Ends a run that may not even start, such as one that requires an unavailable sandbox. Its ledger
 * gets the reason, so that the report has it.
 */
export function refuseStart(settings: BeforeStart, stop: StopReason): AgentResult {
  const { record } = openRecorder(settings.ledger, settings.listen);
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
 * Turns for this part of the session. After an answer the unused ones remain; a stopped session
 * starts anew.
 */
function maxTurnsOf(settings: Pick<RunSettings, 'limits' | 'profile' | 'before' | 'model'>): number {
  const most = settings.limits.max_turns ?? settings.profile.maxTurns;
  const used = earlierUsageOf(settings)?.counted.turns ?? 0;
  return Math.max(Math.min(leastTurns, most), most - used);
}

/** Returns the usage of earlier parts. Null for a new session. */
function earlierUsageOf({ before, model }: Pick<RunSettings, 'before' | 'model'>): EarlierUsage | null {
  return before === null ? null : earlierUsage(before, (usage) => model.cost(usage));
}

function startedEntry(settings: BeforeStart, sandbox: string): RunEntry {
  const earlier = earlierUsageOf(settings);
  const uncounted = earlier?.uncounted;
  return omitUndefined({
    type: 'run.started' as const,
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
    start: settings.start || undefined,
    before: earlier?.whole,
    uncounted: uncounted === noSessionUsage ? undefined : uncounted,
    after: settings.resumedFrom,
  });
}

/** The stricter of the two limits on calls. */
function withCallLimit(limits: RunLimits, most: number | null): RunLimits {
  const { max_tool_calls: configured } = limits;
  if (most === null) return limits;
  return { ...limits, max_tool_calls: configured === null ? most : Math.min(configured, most) };
}
