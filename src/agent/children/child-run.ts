import { ConfigError, RunStopped, ToolError } from '../../contract/errors.ts';
import { omitUndefined } from '../../contract/json.ts';
import type { Message, ToolDefinition } from '../../contract/message.ts';
import { monotonicMs } from '../../contract/monotonic-ms.ts';
import type { RunEvent } from '../../contract/run-event.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { Targets } from '../../permissions/policy/policy.ts';
import { diffLines } from '../../tools/review/diff-lines.ts';
import type { ChildRequest, ChildResult, TaskResult } from '../../tools/services/children.ts';
import { mailReminder } from '../../tools/services/mailboxes.ts';
import type { RunState, Tool, ToolServices } from '../../tools/tool.ts';
import type { OuterContext } from '../calls/call-tool.ts';
import { evaluateAs } from '../calls/evaluate-call-changes.ts';
import { appendText } from '../context/append-text.ts';
import { type HistoryFold, newHistoryFold } from '../context/history-fold.ts';
import { type LoopRequests, noRequests } from '../context/loop-requests.ts';
import { type RunLedger, withoutLongTexts } from '../ledger/open-run-ledger.ts';
import { openChildBudget } from '../limits/run-budget.ts';
import { withDeadline } from '../limits/stop-reasons.ts';
import type { AgentResult, AgentRun } from '../loop/agent-run.ts';
import { runAgent } from '../loop/run-agent.ts';
import { type RunTree, type RunTreeSettings, sharedContext } from '../loop/run-tree.ts';
import { makeToolCalls, sharedPorts, type ToolCalls } from '../loop/tool-calls.ts';
import type { Model } from '../models/model.ts';
import { childProfile } from '../profiles/child-profile.ts';
import type { Profile } from '../profiles/profiles.ts';
import { toolDefinitionsFor } from '../profiles/tool-definitions.ts';
import { firstMessage } from '../prompt/context-pack.ts';
import { renderReviewTask } from '../prompt/review-task.ts';
import { systemPrompt } from '../prompt/system-prompt.ts';
import { newTouchedFiles, type TouchedFiles } from '../reminders/touched-files.ts';
import type { TurnReminder } from '../reminders/turn-reminders.ts';
import { childServices } from './child-services.ts';

/** Entries that the parent's record has too, as they concern the shared files and budget. */
const sharedEntries: readonly RunEntry['type'][] = [
  ...(['change', 'validation', 'refusal', 'approval.required', 'diagnostic'] as const),
];

/**
 * Returns true if the parent's record has the entry too. Handoffs inside the family are in a
 * mailbox instead.
 */
function isShared(entry: RunEntry): boolean {
  if (entry.type === 'handoff') return ['user', 'next_thread'].includes(entry.handoff.target);
  return sharedEntries.includes(entry.type);
}

/** A child that was given its task. It runs once, or again with another message after its end. */
export interface ChildRun {
  readonly id: string;
  readonly profile: string;
  readonly readOnly: boolean;
  /**
   * Runs the child to its end or to the abort of `signal`; later runs continue with the new text
   * and turns of their own. Throws `RunStopped` at a limit of the run tree, except the limit of
   * calls: without calls left, the child ends before its first turn.
   */
  run(signal: AbortSignal | null, text: string | null): Promise<ChildResult>;
}

/**
 * Runs a child to its end with its own context and the parent's budget, abort and policy (evaluated
 * as `child`). It can neither ask a person nor start children. Its messages stay its own; the
 * parent gets the summary.
 */
export async function runChild(
  request: ChildRequest,
  runTree: RunTree,
  recordParent: (entry: RunEntry) => void,
): Promise<ChildResult> {
  const child = await openChild(request, runTree, recordParent);
  return child.run(null, null);
}

/**
 * Makes a child, which then waits to be run. Between its turns, `inbox` returns the additions of
 * its parent. Throws `ToolError` where the parent may start none like it.
 */
export async function openChild(
  request: ChildRequest,
  runTree: RunTree,
  recordParent: (entry: RunEntry) => void,
  inbox: TurnReminder = () => null,
): Promise<ChildRun> {
  const { settings } = runTree;
  // A child has the tools that are there when it starts.
  await settings.external?.loaded;
  const registry = [...(await settings.registry()), ...(settings.external?.current() ?? [])];
  const tools = { registry, disabled: settings.disabledTools };
  const profile = childProfile(request, settings.profile, settings.profiles, tools);
  const model = await modelOf(profile, settings);
  const id = settings.newId();
  // One line, for the display while the child works.
  const title = request.title.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
  const entries: RunEntry[] = [];
  const history = newHistoryFold();
  const record = (entry: RunEntry) => {
    entries.push(withoutLongTexts(entry));
    history.add(entry);
    const event = eventOf(entry, { child_run_id: id, title }, settings.redact);
    if (event !== null) settings.listen(event);
    if (isShared(entry)) recordParent(asOfChild(entry, id));
    if (entry.type === 'tool.call' || entry.type === 'tool.result')
      recordParent({ type: 'child_run.entry', child_run_id: id, entry });
  };
  recordParent({ type: 'child_run.started', child_run_id: id, title, profile: profile.name });
  const { task, reviewed } = await taskOf(request, profile, runTree);
  const returned: { result: TaskResult | null } = { result: null };
  const returnsTask = request.moreTools?.includes('task.return') === true;
  const state = omitUndefined({
    ...{ todos: [], findings: [], reviewed, skills: profile.skills, name: id },
    task: returnsTask ? returned : undefined,
  });
  const touched = newTouchedFiles();
  // The files of a reviewed change are touched before the child reads any.
  if (reviewed !== undefined) touched.add(await targetsOf(reviewed));
  const services = await childServices(await settings.services(), id);
  const mail = mailReminder(services.mailboxes, id);
  const child: OpenedChild = {
    ...{ id, request, runTree, profile, model, registry, record, recordParent, entries, history, task },
    ...{ returned, state, touched, services },
    reminders: [...(settings.reminders?.({ touched, child: true }) ?? []), inbox, mail],
    toolDefinitions: await toolDefinitionsFor(profile, settings.disabledTools, async () => registry),
    last: null,
  };
  return {
    id,
    profile: profile.name,
    readOnly: profile.readOnly,
    run: (ended, text) => runOpened(child, ended, text),
  };
}

/** A child with all that its runs share. */
interface OpenedChild {
  readonly id: string;
  readonly request: ChildRequest;
  readonly runTree: RunTree;
  readonly profile: Profile;
  readonly model: Model;
  readonly registry: readonly Tool[];
  readonly record: (entry: RunEntry) => void;
  readonly recordParent: (entry: RunEntry) => void;
  readonly entries: readonly RunEntry[];
  readonly history: HistoryFold;
  readonly task: string;
  readonly returned: { result: TaskResult | null };
  readonly state: RunState;
  readonly touched: TouchedFiles;
  readonly services: ToolServices;
  readonly reminders: readonly TurnReminder[];
  readonly toolDefinitions: readonly ToolDefinition[];
  /** The result of its last run; null before the first. */
  last: AgentResult | null;
}

async function runOpened(
  child: OpenedChild,
  ended: AbortSignal | null,
  text: string | null,
): Promise<ChildResult> {
  const { id, runTree, profile, request, recordParent, returned, entries } = child;
  const share = openChildBudget(runTree.budget, profile.maxCallsPerRun);
  const signals = [runTree.signal, request.signal ?? null, ended].filter((one) => one !== null);
  const { timeoutMs = null } = request;
  const tooLate = `The child run took longer than ${(timeoutMs ?? 0) / 1000} seconds.`;
  const signal = withDeadline(AbortSignal.any(signals), timeoutMs, tooLate);
  const own: RunTree = { ...runTree, budget: share.budget, signal };
  const messages: readonly Message[] =
    child.last === null
      ? [firstMessage(await runTree.settings.contextPack(profile), '', child.task)]
      : appendText(child.last.messages, text ?? 'Go on.');
  returned.result = null;
  const result = await runAgent(childLoop(child, own, messages));
  child.last = result;
  const { usage, costUsd } = share.own();
  const { conclusion, answer, turns } = result;
  recordParent({
    ...{ type: 'child_run.result', child_run_id: id, conclusion, summary: answer, turns, usage },
    cost_usd: costUsd,
  });
  // The parent's model cannot mend a defect of ours.
  if (result.stop?.kind === 'internal_error') throw new RunStopped(result.stop);
  // A limit of the whole family ends the parent at once; the child's own limit does not.
  runTree.budget.check();
  return { childRunId: id, conclusion, answer, entries, turns, usage, returned: returned.result };
}

function childLoop(child: OpenedChild, own: RunTree, messages: readonly Message[]): AgentRun {
  const { profile, record, touched, model, history, reminders, toolDefinitions } = child;
  const { settings, budget, signal } = own;
  const requests = noRequests();
  const toolCalls = childToolCalls(child, own, requests);
  return {
    ...{ model, profile, messages, budget, toolDefinitions, history, requests, reminders, signal },
    system: systemPrompt(profile, settings.presetName, {
      approvals: false,
      sandboxed: settings.sandboxed,
      commandsReadOnly: settings.commandsReadOnly === true,
      child: true,
    }),
    turnsBefore: child.last?.turns ?? 0,
    // The requested limit of turns applies to each run that is started.
    maxTurns: Math.min(profile.maxTurns, settings.limits.max_turns ?? profile.maxTurns),
    context: settings.context,
    record: touched.recording(record),
    toolCalls: async () => toolCalls,
    ledger: entriesOnly(record),
    listen: () => undefined,
    now: monotonicMs,
  };
}

function childToolCalls(child: OpenedChild, own: RunTree, requests: LoopRequests): ToolCalls {
  const { services, profile, registry, record, touched, state } = child;
  const { settings } = own;
  const unavailable = () =>
    Promise.reject(
      new ToolError('unavailable', 'A child run cannot ask people or start children. Return what you have.'),
    );
  return makeToolCalls({
    touched: touched.add,
    ...sharedPorts(own, services, { profile, builtin: registry, record }),
    gate: (call) => settings.gate(call, 'child'),
    evaluateChanges: evaluateAs(settings.evaluateChanges, 'child'),
    context: (callId, onlyReads): OuterContext => ({
      ...sharedContext(own, services, {
        ...{ callId, onlyReads, state, requests },
        record: touched.recording(record),
      }),
      ask: unavailable,
      requestPermissions: unavailable,
      runChild: unavailable,
    }),
  });
}

/** The event of the parent for an entry of the child: its calls and their ends have one. */
function eventOf(
  entry: RunEntry,
  child: { readonly child_run_id: string; readonly title: string },
  redact: (text: string) => string,
): RunEvent | null {
  if (entry.type === 'tool.call')
    return { type: 'child_run.tool_call', ...child, tool: entry.tool, what: redact(entry.what) };
  if (entry.type !== 'tool.result') return null;
  const { tool, ok, content } = entry;
  const [line = ''] = redact(content).split('\n', 1);
  return { type: 'child_run.tool_result', ...child, tool, ok, content: line.slice(0, 500) };
}

/** An entry of the parent's record, with the child's name before the id of the call. */
function asOfChild(entry: RunEntry, childRunId: string): RunEntry {
  const call_id = (id: string) => `${childRunId}/${id}`;
  if (entry.type === 'change')
    return { ...entry, change: { ...entry.change, call_id: call_id(entry.change.call_id) } };
  if (entry.type === 'refusal')
    return { ...entry, refusal: { ...entry.refusal, call_id: call_id(entry.refusal.call_id) } };
  if (entry.type === 'approval.required')
    return { ...entry, approval: { ...entry.approval, call_id: call_id(entry.approval.call_id) } };
  return entry;
}

/** The model that the call or the profile names, else the parent's. */
async function modelOf({ model }: Profile, settings: RunTreeSettings): Promise<Model> {
  if (model === null) return settings.model;
  try {
    return await settings.models(model);
  } catch (error) {
    if (error instanceof ConfigError) throw new ToolError('unavailable', error.message, { cause: error });
    throw error;
  }
}

/** A reviewer has no tool to make a diff. */
async function taskOf(
  request: ChildRequest,
  profile: Profile,
  { settings }: RunTree,
): Promise<{ readonly task: string; readonly reviewed?: string }> {
  if (profile.base !== 'review') return { task: request.prompt };
  const change = await settings.reviewDiff();
  return { task: renderReviewTask(request.prompt, change), reviewed: change.diff };
}

/** The files that a diff is about. */
async function targetsOf(diff: string): Promise<Targets> {
  const paths = [...((await diffLines(diff))?.keys() ?? [])];
  return { what: 'the change', paths: paths.map((path) => ({ path, access: 'read' })) };
}

/**
 * A child's messages are not part of the parent's conversation, so its loop gets a ledger that
 * stores none.
 */
function entriesOnly(record: (entry: RunEntry) => void): RunLedger {
  return {
    lines: [],
    record: (entry) => {
      if (entry.type !== 'message') record(entry);
    },
    last: null,
    flush: () => undefined,
    close: async () => ({ entries: 0, sha256: null }),
  };
}
