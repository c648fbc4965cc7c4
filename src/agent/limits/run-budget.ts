import { RunStopped } from '../../contract/errors.ts';
import type { RunLimits, StopReason } from '../../contract/limits.ts';
import type { SessionUsage, Usage } from '../../contract/usage.ts';
import { addUsage, noSessionUsage, noUsage } from '../../contract/usage-sums.ts';

/** Usage of a run and its children, compared with its limits. Parent and children share it. */
export interface RunBudget {
  readonly usage: Usage;
  readonly toolCalls: number;
  /** Null once the price of a request was unknown: a partial sum would mislead. */
  readonly costUsd: number | null;
  spend(usage: Usage, costUsd: number | null): void;
  countToolCall(): void;
  /** Throws `RunStopped` for the first limit that is used up, except the limit of calls. */
  check(): void;
  /**
   * Returns why no more calls are made. Null while some are left. Without calls a run can still
   * answer.
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
function callsLeft(most: number, used: number): LimitLeft {
  const left = Math.max(0, most - used);
  return { kind: 'tool_call_limit', most, left, text: `${left} of ${most} tool calls` };
}

/**
 * Opens a budget with the usage and cost of earlier parts of the session. `earlierUsd` is null if a
 * price was unknown. Elapsed time counts from now.
 */
export function openRunBudget(
  limits: RunLimits,
  now: () => Date,
  earlier: Usage = noUsage,
  earlierUsd: number | null = 0,
): RunBudget {
  return new LimitedBudget(limits, now, earlier, earlierUsd);
}

class LimitedBudget implements RunBudget {
  usage: Usage;
  costUsd: number | null;
  toolCalls = 0;
  readonly #limits: RunLimits;
  readonly #now: () => Date;
  readonly #startedAt: number;

  constructor(limits: RunLimits, now: () => Date, usage: Usage, costUsd: number | null) {
    this.#limits = limits;
    this.#now = now;
    this.#startedAt = now().getTime();
    this.usage = usage;
    this.costUsd = costUsd;
  }

  spend(more: Usage, cost: number | null): void {
    this.usage = addUsage(this.usage, more);
    this.costUsd = addCost(this.costUsd, cost);
  }

  countToolCall(): void {
    this.toolCalls += 1;
  }

  check(): void {
    const tokens = this.#tokens();
    const { max_tokens, max_cost_usd, timeout_seconds } = this.#limits;
    if (max_tokens !== null && tokens >= max_tokens)
      throw stop('token_limit', `The run used ${tokens} tokens of the ${max_tokens} allowed.`);
    if (max_cost_usd !== null) this.#checkCost(max_cost_usd);
    if (timeout_seconds !== null && this.#seconds() >= timeout_seconds)
      throw stop('time_limit', `The run took longer than the ${timeout_seconds} seconds allowed.`);
  }

  callsUsedUp(): StopReason | null {
    const { max_tool_calls: most } = this.#limits;
    if (most === null || this.toolCalls < most) return null;
    return { kind: 'tool_call_limit', message: `The run used its ${most} tool calls.` };
  }

  left(): LimitLeft[] {
    const { max_tool_calls, max_tokens, max_cost_usd, timeout_seconds } = this.#limits;
    const all: LimitLeft[] = [];
    if (max_tool_calls !== null) all.push(callsLeft(max_tool_calls, this.toolCalls));
    if (max_tokens !== null) {
      const left = Math.max(0, max_tokens - this.#tokens());
      all.push({ kind: 'token_limit', most: max_tokens, left, text: `${left} of ${max_tokens} tokens` });
    }
    if (max_cost_usd !== null && this.costUsd !== null) {
      const left = Math.max(0, max_cost_usd - this.costUsd);
      all.push({
        kind: 'cost_limit',
        most: max_cost_usd,
        left,
        text: `${usd(left)} of ${usd(max_cost_usd)}`,
      });
    }
    if (timeout_seconds !== null) {
      const left = Math.max(0, Math.floor(timeout_seconds - this.#seconds()));
      const text = `${left} of ${timeout_seconds} seconds`;
      all.push({ kind: 'time_limit', most: timeout_seconds, left, text });
    }
    return all;
  }

  #checkCost(most: number): void {
    if (this.costUsd === null)
      throw stop(
        'cost_limit',
        `What the run cost so far is not known, so its limit of ${usd(most)} cannot be held.`,
      );
    if (this.costUsd >= most)
      throw stop('cost_limit', `The run cost ${usd(this.costUsd)} of the ${usd(most)} allowed.`);
  }

  #tokens(): number {
    const { input, output, cache_read, cache_write } = this.usage;
    return input + output + cache_read + cache_write;
  }

  #seconds(): number {
    return (this.#now().getTime() - this.#startedAt) / 1000;
  }
}

const usd = (dollars: number): string => `$${dollars.toFixed(2)}`;

function stop(kind: LimitLeft['kind'], message: string): RunStopped {
  return new RunStopped({ kind, message });
}

function addCost(sum: number | null, cost: number | null): number | null {
  return sum === null || cost === null ? null : sum + cost;
}

/** A child's share of its parent's budget. Its usage counts for both. */
export interface ChildBudget {
  readonly budget: RunBudget;
  /** Usage of this child. */
  readonly own: () => { readonly usage: Usage; readonly costUsd: number | null };
}

/** Opens a child's budget. `maxToolCalls` ends only the child. Null for no limit of its own. */
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
        costUsd = addCost(costUsd, cost);
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

/** Usage of a session before this part: whole, and the part that limits count. */
export interface EarlierUsage {
  readonly whole: SessionUsage;
  /**
   * The part that limits do not count: a session that a limit stopped continues with new limits.
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
