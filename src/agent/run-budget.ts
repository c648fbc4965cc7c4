import { RunStopped } from '../contract/errors.ts';
import type { RunLimits } from '../contract/limits.ts';
import { addUsage, noUsage, type Usage } from '../contract/usage.ts';

/** What a run and its children have spent so far, held against its limits. Shared by parent and children. */
export interface RunBudget {
  readonly usage: Usage;
  readonly toolCalls: number;
  /** Null as soon as one request's price was unknown: a partial sum would mislead. */
  readonly costUsd: number | null;
  spend(usage: Usage, costUsd: number | null): void;
  countToolCall(): void;
  /** Throws `RunStopped` naming the first limit that is used up. */
  check(): void;
}

/** A budget starting from what an earlier part of the same session used. Elapsed time counts from now. */
export function openRunBudget(limits: RunLimits, now: () => Date, spent: Usage = noUsage): RunBudget {
  const startedAt = now().getTime();
  let usage = spent;
  let costUsd: number | null = 0;
  let toolCalls = 0;
  const stop = (
    kind: 'tool_call_limit' | 'token_limit' | 'cost_limit' | 'time_limit',
    message: string,
  ): never => {
    throw new RunStopped({ kind, message });
  };
  return {
    get usage() {
      return usage;
    },
    get toolCalls() {
      return toolCalls;
    },
    get costUsd() {
      return costUsd;
    },
    spend(more, cost) {
      usage = addUsage(usage, more);
      costUsd = costUsd === null || cost === null ? null : costUsd + cost;
    },
    countToolCall() {
      toolCalls += 1;
    },
    check() {
      const tokens = usage.input + usage.output + usage.cache_read + usage.cache_write;
      const { max_tool_calls, max_tokens, max_cost_usd, timeout_seconds } = limits;
      if (max_tool_calls !== null && toolCalls >= max_tool_calls) {
        stop('tool_call_limit', `The run used its ${max_tool_calls} tool calls.`);
      }
      if (max_tokens !== null && tokens >= max_tokens) {
        stop('token_limit', `The run used ${tokens} tokens of the ${max_tokens} allowed.`);
      }
      if (max_cost_usd !== null && costUsd !== null && costUsd >= max_cost_usd) {
        stop('cost_limit', `The run cost $${costUsd.toFixed(2)} of the $${max_cost_usd.toFixed(2)} allowed.`);
      }
      if (timeout_seconds !== null && now().getTime() - startedAt >= timeout_seconds * 1000) {
        stop('time_limit', `The run took longer than the ${timeout_seconds} seconds allowed.`);
      }
    },
  };
}
