import { omitUndefined } from '../../contract/json.ts';
import type { Conclusion, StopReason } from '../../contract/limits.ts';
import { smallest } from '../../contract/lists.ts';
import { addUsage, noSessionUsage } from '../../contract/usage-sums.ts';
import { type Conversation, openConversation } from '../context/conversation.ts';
import { type RequiredResult, requiredResult, unloggedRun } from '../reminders/end-prompts.ts';
import { recurringReminders } from '../reminders/recurring-reminders.ts';
import type { TurnReminder } from '../reminders/turn-reminders.ts';
import type { AgentResult, AgentRun } from './agent-run.ts';

/** One run of the loop between its turns. */
export interface LoopState {
  readonly run: AgentRun;
  readonly conversation: Conversation;
  readonly required: RequiredResult;
  /** Asks once for the log entry of a benchmark. Null if none is missing. */
  readonly unlogged: () => string | null;
  readonly reminders: readonly TurnReminder[];
  readonly startedAt: number;
  /** Counted from 1 over the whole session. */
  turn: number;
  /** The last text of the model; '' before the first. */
  answer: string;
  /** The last answer before the run was asked for its result. */
  answerBefore: string;
  /** The model's last text since it saw results. */
  text: string;
  /** Retry prompts in a row. */
  retries: number;
  /** Turns taken after the calls ran out. A child that starts without calls gets none. */
  turnsWithoutCalls: number;
  /** Times that the answer was asked for again, as it did not have the required form. */
  misformed: number;
  waitingCallId: string | null;
}

/** Opens the loop before its first turn, and shows its state to the tools. */
export function openLoop(run: AgentRun): LoopState {
  const loop: LoopState = {
    run,
    conversation: openConversation(run),
    required: requiredResult(run),
    unlogged: unloggedRun(run),
    reminders: [...run.reminders, ...recurringReminders(run)],
    startedAt: run.now(),
    turn: run.turnsBefore,
    answer: '',
    answerBefore: '',
    text: '',
    retries: 0,
    turnsWithoutCalls: run.budget.callsUsedUp() === null ? 0 : Infinity,
    misformed: 0,
    waitingCallId: null,
  };
  run.requests.state = {
    size: () => loop.conversation.size(),
    left: () => [`${turnsLeft(loop)} of ${run.maxTurns} turns`, ...run.budget.left().map((one) => one.text)],
    msLeft: () => msLeft(run),
    recentText: () => loop.text,
  };
  return loop;
}

/** Turns that this part of the session may still take. */
export function turnsLeft({ run, turn }: LoopState): number {
  return run.maxTurns - (turn - run.turnsBefore);
}

function msLeft({ budget }: AgentRun): number | null {
  const times = budget.left().flatMap(({ kind, left }) => (kind === 'time_limit' ? [left * 1000] : []));
  return times.length === 0 ? null : smallest(times);
}

/** Records the end of the loop and returns its result. */
export function endLoop(loop: LoopState, conclusion: Conclusion, stop: StopReason | null): AgentResult {
  const { run, conversation, turn, waitingCallId } = loop;
  const unreported = (conclusion === 'success' ? loop.required.missing() : null) ?? undefined;
  // Asked for its result, a model often only answers that it has stated it.
  if (unreported !== undefined && loop.answerBefore.length > loop.answer.length)
    loop.answer = loop.answerBefore;
  const { uncounted = noSessionUsage, budget } = run;
  const usage = addUsage(uncounted.usage, budget.usage);
  const isUnknown = uncounted.cost_usd === null || budget.costUsd === null;
  const costUsd = isUnknown ? null : (uncounted.cost_usd ?? 0) + (budget.costUsd ?? 0);
  const durationMs = uncounted.duration_ms + run.now() - loop.startedAt;
  const end = { conclusion, answer: loop.answer, stop };
  if (stop !== null && conclusion === 'limit') run.record({ type: 'limit', stop });
  const total = { ...end, turns: turn, usage };
  const type = 'run.finished' as const;
  run.record(omitUndefined({ type, ...total, cost_usd: costUsd, duration_ms: durationMs, unreported }));
  run.ledger.flush();
  const { messages } = conversation;
  return { ...total, costUsd, durationMs, messages, history: run.history.history, waitingCallId };
}
