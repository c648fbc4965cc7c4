import { internalError, RunStopped } from '../../contract/errors.ts';
import { smallest } from '../../contract/lists.ts';
import type { ToolCallPart, ToolResultPart } from '../../contract/message.ts';
import type { RunBudget } from '../limits/run-budget.ts';
import type { ToolCalls } from './tool-calls.ts';

/** Results of the calls of one turn. Only a call that waits for a person has none. */
export interface FinishedCalls {
  readonly results: ToolResultPart[];
  readonly stopped: RunStopped | null;
  readonly waitingCallId: string | null;
}

/**
 * Runs the calls of one turn: in parallel if all only read, else strictly in order. Calls beyond
 * the limit are not made; those that state the run's result do not count against it. A defect ends
 * the run, but the results of the other calls are recorded. Throws aborts.
 */
export async function runCalls(
  all: readonly ToolCallPart[],
  run: {
    readonly toolCalls: () => Promise<ToolCalls>;
    readonly budget: Pick<RunBudget, 'countToolCall' | 'left'>;
    readonly signal: AbortSignal;
  },
): Promise<FinishedCalls> {
  const tools = await run.toolCalls();
  await tools.ready(all);
  run.signal.throwIfAborted();
  const most = smallest(
    run.budget.left().map(({ kind, left }) => (kind === 'tool_call_limit' ? left : Infinity)),
  );
  const counted = all.filter((call) => !tools.statesResult(call));
  const beyond = counted.slice(most);
  const calls = all.filter((call) => !beyond.includes(call));
  const withRest = (outcome: FinishedCalls): FinishedCalls => ({
    ...outcome,
    results: [...outcome.results, ...beyond.map(({ id }) => notRun(id, overLimit))],
  });
  const onlyRead = calls.every((call) => tools.onlyReads(call));
  for (const _ of counted.slice(0, most)) run.budget.countToolCall();
  if (onlyRead || calls.length === 1)
    return withRest(
      finishedCalls(calls, await Promise.allSettled(calls.map((call) => tools.call(call))), run.signal),
    );
  const results: ToolResultPart[] = [];
  for (const [index, call] of calls.entries()) {
    run.signal.throwIfAborted();
    try {
      results.push(await tools.call(call));
    } catch (error) {
      const stopped = stoppedBy(error, run.signal);
      const waits = stopped.reason.kind === 'waiting';
      // The question's own result comes with the answer. Calls after it must not appear executed.
      if (stopped.reason.kind === 'internal_error') results.push(broken(call.id));
      for (const later of calls.slice(index + 1)) results.push(notRun(later.id, stoppedBefore));
      return withRest({ results, stopped, waitingCallId: waits ? call.id : null });
    }
  }
  return withRest({ results, stopped: null, waitingCallId: null });
}

/** Any of the parallel calls may have ended the run. The results of the others are recorded. */
function finishedCalls(
  calls: readonly ToolCallPart[],
  outcome: readonly PromiseSettledResult<ToolResultPart>[],
  signal: AbortSignal,
): FinishedCalls {
  const reasons = outcome.map((one) => (one.status === 'rejected' ? stoppedBy(one.reason, signal) : null));
  const defect = reasons.find((reason) => reason?.reason.kind === 'internal_error');
  const stopped = defect ?? reasons.find((reason) => reason !== null) ?? null;
  const waiting = stopped?.reason.kind === 'waiting' ? (calls[reasons.indexOf(stopped)]?.id ?? null) : null;
  const results = outcome.flatMap((one, index) => {
    if (one.status === 'fulfilled') return [one.value];
    const id = calls[index]?.id ?? '';
    if (id === waiting) return [];
    return reasons[index]?.reason.kind === 'internal_error' ? [broken(id)] : [notRun(id, stoppedBefore)];
  });
  return { results, stopped, waitingCallId: waiting };
}

const stoppedBefore = 'the run stopped at the call before it. Call it again if it is still wanted.';
const overLimit = 'the run has used all its tool calls. Give your answer now.';

/**
 * The stop that a thrown error means. Throws the error again after an abort, whose reason is known
 * elsewhere.
 */
function stoppedBy(error: unknown, signal: AbortSignal): RunStopped {
  if (error instanceof RunStopped) return error;
  if (signal.aborted) throw error;
  return new RunStopped(internalError(error), { cause: error });
}

function broken(callId: string): ToolResultPart {
  const text =
    'The call failed for a defect of the program, not for its input. What it did before that stays.';
  return { type: 'tool_result', call_id: callId, content: [{ type: 'text', text }], is_error: true };
}

function notRun(callId: string, why: string): ToolResultPart {
  const text = `Not run: ${why}`;
  return { type: 'tool_result', call_id: callId, content: [{ type: 'text', text }], is_error: true };
}
