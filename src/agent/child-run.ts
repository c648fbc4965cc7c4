import { ConfigError, RunStopped, ToolError } from '../contract/errors.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import type { ChildRequest, ChildResult } from '../tools/tool.ts';
import { advertsFor } from './adverts.ts';
import type { OuterContext } from './call-tool.ts';
import { openChildBudget } from './child-budget.ts';
import { childProfile } from './child-profile.ts';
import { newHistoryFold } from './compaction/history-fold.ts';
import { newFilesInPlay } from './files-in-play.ts';
import { firstMessage } from './first-message.ts';
import { judgedAs } from './judge-call-changes.ts';
import { noRequests } from './loop-requests.ts';
import type { Model } from './models/model.ts';
import type { Profile } from './profiles.ts';
import { renderReviewTask } from './review-task.ts';
import { runAgent } from './run-agent.ts';
import { type RunFamily, type RunSettings, sharedContext } from './run-family.ts';
import type { RunLedger } from './run-ledger.ts';
import { systemPrompt } from './system-prompt.ts';
import { makeToolCalls, sharedPorts } from './tool-calls.ts';

/** What a child does that belongs to the parent's record as well: it touched the same files and budget. */
const sharedEntries: readonly RunEntry['type'][] = ['change', 'refusal', 'approval.required', 'diagnostic'];

/**
 * Runs a child to its end: its own context, the parent's budget, abort and policy (judged as `child`). It
 * can neither ask a person nor start children. Its messages stay its own; the parent gets the summary.
 */
export async function runChild(
  request: ChildRequest,
  family: RunFamily,
  recordParent: (entry: RunEntry) => void,
): Promise<ChildResult> {
  const { settings } = family;
  const registry = await settings.registry();
  const tools = { registry, disabled: settings.disabledTools };
  const profile = childProfile(request, settings.profile, settings.profiles, tools);
  const model = await modelOf(profile, settings);
  const childRunId = settings.newId();
  const entries: RunEntry[] = [];
  const history = newHistoryFold();
  const record = (entry: RunEntry) => {
    entries.push(entry);
    history.add(entry);
    if (sharedEntries.includes(entry.type)) recordParent(entry);
  };
  recordParent({
    type: 'child_run.started',
    child_run_id: childRunId,
    title: request.title,
    profile: profile.name,
  });
  const unavailable = () =>
    Promise.reject(
      new ToolError('unavailable', 'A child run cannot ask people or start children. Return what you have.'),
    );
  const { task, reviewed } = await taskOf(request, profile, family);
  const state = { todos: [], findings: [], reviewed };
  const requests = noRequests();
  const play = newFilesInPlay();
  const services = await settings.services();
  const share = openChildBudget(family.budget, profile.maxCallsPerRun);
  const signals = [family.signal, ...(request.signal === undefined ? [] : [request.signal])];
  const signal = childSignal(AbortSignal.any(signals), request.timeoutMs);
  const own: RunFamily = { ...family, budget: share.budget, signal };
  const toolCalls = makeToolCalls({
    touched: play.touched,
    ...sharedPorts(own, services, profile, registry, record),
    gate: (call) => settings.gate(call, 'child'),
    judgeChanges: judgedAs(settings.judgeChanges, 'child'),
    context: (callId, onlyReads): OuterContext => ({
      ...sharedContext(own, services, callId, onlyReads, play.recording(record), state, requests),
      ask: unavailable,
      requestPermissions: unavailable,
      runChild: unavailable,
    }),
  });
  const result = await runAgent({
    model,
    profile,
    system: systemPrompt(profile, settings.presetName, {
      approvals: false,
      sandboxed: settings.sandboxed,
      child: true,
    }),
    messages: [firstMessage(await settings.contextPack(), '', task)],
    turnsBefore: 0,
    maxTurns: profile.maxTurns,
    budget: share.budget,
    adverts: await advertsFor(profile, settings.disabledTools, settings.registry),
    context: settings.context,
    history,
    record,
    toolCalls: async () => toolCalls,
    requests,
    notes: settings.notes?.({ play, child: true }) ?? [],
    ledger: entriesOnly(record),
    listen: () => undefined,
    signal,
    now: () => performance.now(),
  });
  const { usage, costUsd } = share.own();
  recordParent({
    type: 'child_run.result',
    child_run_id: childRunId,
    conclusion: result.conclusion,
    summary: result.answer,
    turns: result.turns,
    usage,
    cost_usd: costUsd,
  });
  // A limit of the whole family ends the parent too; the child's own turn limit does not.
  family.budget.check();
  return {
    childRunId,
    conclusion: result.conclusion,
    answer: result.answer,
    entries,
    turns: result.turns,
    usage,
  };
}

/** The model that the call or the profile names, else that of the parent. */
async function modelOf({ model }: Profile, settings: RunSettings): Promise<Model> {
  if (model === null) return settings.model;
  try {
    return await settings.models(model);
  } catch (error) {
    if (error instanceof ConfigError) throw new ToolError('unavailable', error.message, { cause: error });
    throw error;
  }
}

/** A reviewer judges a diff, and has no tool to make one. */
async function taskOf(
  request: ChildRequest,
  profile: Profile,
  { settings }: RunFamily,
): Promise<{ readonly task: string; readonly reviewed?: string }> {
  if (profile.base !== 'review') return { task: request.prompt };
  const reviewed = await settings.reviewDiff();
  return { task: renderReviewTask(reviewed, request.prompt), reviewed };
}

/** A child's messages are not part of the parent's conversation, so its loop gets a ledger that keeps none. */
function entriesOnly(record: (entry: RunEntry) => void): RunLedger {
  return {
    lines: [],
    record: (entry) => {
      if (entry.type !== 'message') record(entry);
    },
    last: null,
    flush: () => undefined,
    close: async () => undefined,
  };
}

function childSignal(parent: AbortSignal, timeoutMs: number | null): AbortSignal {
  if (timeoutMs === null) return parent;
  const deadline = new AbortController();
  const message = `The child run took longer than ${timeoutMs / 1000} seconds.`;
  const timer = setTimeout(() => deadline.abort(new RunStopped({ kind: 'time_limit', message })), timeoutMs);
  timer.unref();
  return AbortSignal.any([parent, deadline.signal]);
}
