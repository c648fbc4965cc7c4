import { RunStopped } from '../../contract/errors.ts';
import type { RunLimits, StopReason } from '../../contract/limits.ts';
import { addUsage, noSessionUsage, noUsage, type SessionUsage, type Usage } from '../../contract/usage.ts';

/** Usage of a run and its children, held against its limits. Shared by parent and children. */
export interface RunBudget {
  readonly usage: Usage;
  readonly toolCalls: number;
  /** Null as soon as one request's price was unknown: a partial sum would mislead. */
  readonly costUsd: number | null;
  spend(usage: Usage, costUsd: number | null): void;
  countToolCall(): void;
  /** Throws `RunStopped` naming the first limit that is used up, but for that of calls. */
  check(): void;
  /**
   * Why no more calls are made; null while some are left. Without calls a run can still say what it
   * has.
   */
  callsUsedUp(): StopReason | null;
  /** Returns the rest of each limit that is set. */
  left(): LimitLeft[];
}

/** One limit of a run, in its own unit: calls, tokens, dollars, seconds. */
export interface LimitLeft {
  readonly kind: 'tool_call_limit' | 'token_limit' | 'cost_limit' | 'time_limit';
  readonly most: number;
  /** 0 at least. */
  readonly left: number;
  /** `3 of 40 tool calls`. */
  readonly text: string;
}

/** Returns the rest of a limit of calls. */
export function callsLeft(most: number, used: number): LimitLeft {
  const left = Math.max(0, most - used);
  return { kind: 'tool_call_limit', most, left, text: `${left} of ${most} tool calls` };
}

/**
 * A budget starting from what an earlier part of the same session used and cost (null: its price is
 * not known). Elapsed time counts from now.
 */
export function openRunBudget(
  limits: RunLimits,
  now: () => Date,
  earlier: Usage = noUsage,
  earlierUsd: number | null = 0,
): RunBudget {
  const startedAt = now().getTime();
  let usage = earlier;
  let costUsd = earlierUsd;
  let toolCalls = 0;
  const stop = (kind: LimitLeft['kind'], message: string): never => {
    throw new RunStopped({ kind, message });
  };
  const tokensOf = () => usage.input + usage.output + usage.cache_read + usage.cache_write;
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
      const tokens = tokensOf();
      const { max_tokens, max_cost_usd, timeout_seconds } = limits;
      if (max_tokens !== null && tokens >= max_tokens) {
        stop('token_limit', `The run used ${tokens} tokens of the ${max_tokens} allowed.`);
      }
      if (max_cost_usd !== null && costUsd === null) {
        const limit = `$${max_cost_usd.toFixed(2)}`;
        stop('cost_limit', `What the run cost so far is not known, so its limit of ${limit} cannot be held.`);
      }
      if (max_cost_usd !== null && costUsd !== null && costUsd >= max_cost_usd) {
        stop('cost_limit', `The run cost $${costUsd.toFixed(2)} of the $${max_cost_usd.toFixed(2)} allowed.`);
      }
      if (timeout_seconds !== null && now().getTime() - startedAt >= timeout_seconds * 1000) {
        stop('time_limit', `The run took longer than the ${timeout_seconds} seconds allowed.`);
      }
    },
    callsUsedUp() {
      const { max_tool_calls: most } = limits;
      if (most === null || toolCalls < most) return null;
      return { kind: 'tool_call_limit', message: `The run used its ${most} tool calls.` };
    },
    left() {
      const { max_tool_calls, max_tokens, max_cost_usd, timeout_seconds } = limits;
      const all: LimitLeft[] = [];
      if (max_tool_calls !== null) all.push(callsLeft(max_tool_calls, toolCalls));
      if (max_tokens !== null) {
        const left = Math.max(0, max_tokens - tokensOf());
        all.push({ kind: 'token_limit', most: max_tokens, left, text: `${left} of ${max_tokens} tokens` });
      }
      if (max_cost_usd !== null && costUsd !== null) {
        const left = Math.max(0, max_cost_usd - costUsd);
        const text = `$${left.toFixed(2)} of $${max_cost_usd.toFixed(2)}`;
        all.push({ kind: 'cost_limit', most: max_cost_usd, left, text });
      }
      if (timeout_seconds !== null) {
        const left = Math.max(0, Math.floor(timeout_seconds - (now().getTime() - startedAt) / 1000));
        all.push({
          kind: 'time_limit',
          most: timeout_seconds,
          left,
          text: `${left} of ${timeout_seconds} seconds`,
        });
      }
      return all;
    },
  };
}

/**
 * A child's share of its family's budget: what it spends counts for both, and its own calls have a
 * limit too.
 */
export interface ChildBudget {
  readonly budget: RunBudget;
  /** Usage of this child. */
  readonly own: () => { readonly usage: Usage; readonly costUsd: number | null };
}

/** `maxToolCalls`: at so many the child ends, and only the child; null for no limit of its own. */
export function openChildBudget(parent: RunBudget, maxToolCalls: number | null): ChildBudget {
  let usage = noUsage;
  let costUsd: number | null = 0;
  let calls = 0;
  return {
    own: () => ({ usage, costUsd }),
    budget: {
      get usage() {
        return parent.usage;
      },
      get toolCalls() {
        return parent.toolCalls;
      },
      get costUsd() {
        return parent.costUsd;
      },
      spend: (more, cost) => {
        usage = addUsage(usage, more);
        costUsd = costUsd === null || cost === null ? null : costUsd + cost;
        parent.spend(more, cost);
      },
      countToolCall: () => {
        calls += 1;
        parent.countToolCall();
      },
      check: () => parent.check(),
      callsUsedUp: () => {
        const used = parent.callsUsedUp();
        if (used !== null || maxToolCalls === null || calls < maxToolCalls) return used;
        return { kind: 'tool_call_limit', message: `The child run used its ${maxToolCalls} tool calls.` };
      },
      left: () => [...parent.left(), ...(maxToolCalls === null ? [] : [callsLeft(maxToolCalls, calls)])],
    },
  };
}

/** Stored usage of the parts of a session. */
export interface StoredUsage {
  readonly turns: number;
  readonly usage: Usage;
  readonly tool_calls?: number | undefined;
  readonly cost_usd?: number | null | undefined;
  readonly duration_ms?: number | undefined;
  readonly uncounted?: SessionUsage | undefined;
  readonly stopped?: string | undefined;
}

/** Usage of a session before this part: whole, and as its limits count it. */
export interface EarlierUsage {
  readonly whole: SessionUsage;
  /**
   * Part of the whole: what was stopped by its limits would be stopped again at once, so they count
   * anew for what follows.
   */
  readonly uncounted: SessionUsage;
  readonly counted: Pick<SessionUsage, 'turns' | 'usage' | 'cost_usd'>;
}

/**
 * Returns the usage of a resumed session. `price` fills in costs that older parts did not store.
 */
export function earlierUsage(before: StoredUsage, price: (usage: Usage) => number | null): EarlierUsage {
  const { turns, usage, tool_calls = 0, cost_usd, duration_ms = 0 } = before;
  const whole = {
    ...{ turns, tool_calls, usage, duration_ms },
    cost_usd: cost_usd === undefined ? price(usage) : cost_usd,
  };
  const uncounted = before.stopped === undefined ? (before.uncounted ?? noSessionUsage) : whole;
  return {
    whole,
    uncounted,
    counted: {
      turns: turns - uncounted.turns,
      usage: {
        input: usage.input - uncounted.usage.input,
        output: usage.output - uncounted.usage.output,
        cache_read: usage.cache_read - uncounted.usage.cache_read,
        cache_write: usage.cache_write - uncounted.usage.cache_write,
      },
      cost_usd: uncounted === whole ? 0 : costBetween(whole.cost_usd, uncounted.cost_usd),
    },
  };
}

function costBetween(whole: number | null, part: number | null): number | null {
  return whole === null || part === null ? null : whole - part;
}
