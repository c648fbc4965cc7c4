import { RunStopped } from '../../contract/errors.ts';
import type { ToolCallPart, ToolResultPart } from '../../contract/message.ts';
import type { RunBudget } from '../limits/run-budget.ts';
import type { ToolCalls } from './tool-calls.ts';

/** What became of the calls of one turn. A call that waits for a person is the one without a result. */
export interface SettledCalls {
  readonly results: ToolResultPart[];
  readonly stopped: RunStopped | null;
  readonly waitingCallId: string | null;
}

/**
 * Runs the calls of one turn: side by side when all only read, else strictly in order, and none beyond the limit of calls,
 * which those that state the result of the run do not count against. Defects and aborts throw.
 */
export async function settleCalls(
  all: readonly ToolCallPart[],
  run: {
    readonly toolCalls: () => Promise<ToolCalls>;
    readonly budget: Pick<RunBudget, 'countToolCall' | 'left'>;
    readonly signal: AbortSignal;
  },
): Promise<SettledCalls> {
  const tools = await run.toolCalls();
  await tools.ready(all);
  run.signal.throwIfAborted();
  const most = Math.min(
    ...run.budget.left().map(({ kind, left }) => (kind === 'tool_call_limit' ? left : Infinity)),
  );
  const counted = all.filter((call) => !tools.statesResult(call));
  const beyond = counted.slice(most);
  const calls = all.filter((call) => !beyond.includes(call));
  const withRest = (settled: SettledCalls): SettledCalls => ({
    ...settled,
    results: [...settled.results, ...beyond.map(({ id }) => notRun(id, overLimit))],
  });
  const onlyRead = calls.every((call) => tools.onlyReads(call));
  for (const _ of counted.slice(0, most)) run.budget.countToolCall();
  if (onlyRead || calls.length === 1)
    return withRest(settleAll(calls, await Promise.allSettled(calls.map((call) => tools.call(call)))));
  const results: ToolResultPart[] = [];
  for (const [index, call] of calls.entries()) {
    run.signal.throwIfAborted();
    try {
      results.push(await tools.call(call));
    } catch (error) {
      if (!(error instanceof RunStopped)) throw error;
      // The question's own result comes with the answer; what stood behind it must not look executed.
      for (const later of calls.slice(index + 1)) results.push(notRun(later.id, stoppedBefore));
      return withRest({
        results,
        stopped: error,
        waitingCallId: error.reason.kind === 'waiting' ? call.id : null,
      });
    }
  }
  return withRest({ results, stopped: null, waitingCallId: null });
}

/** Of calls made side by side, any may have ended the run: what the others brought is kept all the same. */
function settleAll(
  calls: readonly ToolCallPart[],
  settled: readonly PromiseSettledResult<ToolResultPart>[],
): SettledCalls {
  const reasons = settled.map((one): unknown => (one.status === 'rejected' ? one.reason : null));
  const defect = reasons.find((reason) => reason !== null && !(reason instanceof RunStopped));
  if (defect !== undefined) throw defect;
  const stopped = reasons.find((reason) => reason instanceof RunStopped) ?? null;
  const waiting = stopped?.reason.kind === 'waiting' ? (calls[reasons.indexOf(stopped)]?.id ?? null) : null;
  const results = settled.flatMap((one, index) => {
    if (one.status === 'fulfilled') return [one.value];
    const id = calls[index]?.id ?? '';
    return id === waiting ? [] : [notRun(id, stoppedBefore)];
  });
  return { results, stopped, waitingCallId: waiting };
}

const stoppedBefore = 'the run stopped at the call before it. Call it again if it is still wanted.';
const overLimit = 'the run has used all its tool calls. Give your answer now.';

function notRun(callId: string, why: string): ToolResultPart {
  const text = `Not run: ${why}`;
  return { type: 'tool_result', call_id: callId, content: [{ type: 'text', text }], is_error: true };
}
