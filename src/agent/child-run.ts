import { RunStopped, ToolError } from '../contract/errors.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import { addUsage, noUsage, type Usage } from '../contract/usage.ts';
import type { ChildRequest, ChildResult } from '../tools/tool.ts';
import { advertsFor } from './adverts.ts';
import type { OuterContext } from './call-tool.ts';
import { newFilesInPlay } from './files-in-play.ts';
import { firstMessage } from './first-message.ts';
import { judgedAs } from './judge-call-changes.ts';
import { noRequests } from './loop-requests.ts';
import { findProfile, type Profile } from './profiles.ts';
import { renderReviewTask } from './review-task.ts';
import { runAgent } from './run-agent.ts';
import type { RunBudget } from './run-budget.ts';
import { type RunFamily, sharedContext } from './run-family.ts';
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
  const named = findProfile(request.profile);
  const profile = { ...named, effort: request.effort ?? named.effort };
  const childRunId = settings.newId();
  const entries: RunEntry[] = [];
  const record = (entry: RunEntry) => {
    entries.push(entry);
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
  const toolCalls = makeToolCalls({
    touched: play.touched,
    ...sharedPorts(family, services, profile, await settings.registry(), record),
    gate: (call) => settings.gate(call, 'child'),
    judgeChanges: judgedAs(settings.judgeChanges, 'child'),
    context: (callId, onlyReads): OuterContext => ({
      ...sharedContext(family, services, callId, onlyReads, play.recording(record), state, requests),
      ask: unavailable,
      requestPermissions: unavailable,
      runChild: unavailable,
    }),
  });
  const spent = trackOwnUsage(family.budget);
  const result = await runAgent({
    model: settings.model,
    profile,
    system: systemPrompt(profile, settings.presetName, {
      approvals: false,
      sandboxed: settings.sandboxed,
    }),
    messages: [firstMessage(await settings.contextPack(), '', task)],
    turnsBefore: 0,
    maxTurns: Math.min(request.maxTurns ?? profile.maxTurns, profile.maxTurns),
    budget: spent.budget,
    adverts: await advertsFor(profile, settings.disabledTools, settings.registry),
    record,
    toolCalls: async () => toolCalls,
    requests,
    notes: settings.notes?.({ play, child: true }) ?? [],
    ledger: entriesOnly(record),
    listen: () => undefined,
    signal: childSignal(family.signal, request.timeoutMs),
    now: () => performance.now(),
  });
  recordParent({
    type: 'child_run.result',
    child_run_id: childRunId,
    conclusion: result.conclusion,
    summary: result.answer,
    turns: result.turns,
    usage: spent.usage(),
  });
  // A limit of the whole family ends the parent too; the child's own turn limit does not.
  family.budget.check();
  return {
    childRunId,
    conclusion: result.conclusion,
    answer: result.answer,
    entries,
    turns: result.turns,
    usage: spent.usage(),
  };
}

/** A reviewer judges a diff, and has no tool to make one. */
async function taskOf(
  request: ChildRequest,
  profile: Profile,
  { settings }: RunFamily,
): Promise<{ readonly task: string; readonly reviewed?: string }> {
  if (profile.name !== 'review') return { task: request.prompt };
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
    flush: () => undefined,
    close: async () => undefined,
  };
}

function trackOwnUsage(budget: RunBudget): { budget: RunBudget; usage: () => Usage } {
  let own = noUsage;
  return {
    budget: {
      get usage() {
        return budget.usage;
      },
      get toolCalls() {
        return budget.toolCalls;
      },
      get costUsd() {
        return budget.costUsd;
      },
      spend: (usage, cost) => {
        own = addUsage(own, usage);
        budget.spend(usage, cost);
      },
      countToolCall: () => budget.countToolCall(),
      check: () => budget.check(),
    },
    usage: () => own,
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
