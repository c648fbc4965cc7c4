import { noSpent, type Spent, type Usage } from '../../contract/usage.ts';

/** What is kept of the parts of a session. */
export interface SpentParts {
  readonly turns: number;
  readonly usage: Usage;
  readonly tool_calls?: number | undefined;
  readonly cost_usd?: number | null | undefined;
  readonly duration_ms?: number | undefined;
  readonly uncounted?: Spent | undefined;
  readonly stopped?: string | undefined;
}

/** What a session took before, whole and by what its limits count of it. */
export interface SpentBefore {
  readonly whole: Spent;
  /** Part of the whole: what was stopped by its limits would be stopped again at once, so they count anew for what follows. */
  readonly uncounted: Spent;
  readonly counted: Pick<Spent, 'turns' | 'usage' | 'cost_usd'>;
}

/** Of a session that goes on; `price` is asked where older parts did not say what they cost. */
export function spentBefore(before: SpentParts, price: (usage: Usage) => number | null): SpentBefore {
  const { turns, usage, tool_calls = 0, cost_usd, duration_ms = 0 } = before;
  const whole = {
    ...{ turns, tool_calls, usage, duration_ms },
    cost_usd: cost_usd === undefined ? price(usage) : cost_usd,
  };
  const uncounted = before.stopped === undefined ? (before.uncounted ?? noSpent) : whole;
  const dear = whole.cost_usd === null || uncounted.cost_usd === null;
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
      cost_usd: uncounted === whole ? 0 : dear ? null : (whole.cost_usd ?? 0) - (uncounted.cost_usd ?? 0),
    },
  };
}
