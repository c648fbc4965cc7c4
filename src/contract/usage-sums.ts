import type { SessionUsage, Usage } from './usage.ts';

/** No tokens, as the start of a sum. */
export const noUsage: Usage = { input: 0, output: 0, cache_read: 0, cache_write: 0 };

/** The sum of two counts. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cache_read: a.cache_read + b.cache_read,
    cache_write: a.cache_write + b.cache_write,
  };
}

/** No usage. */
export const noSessionUsage: SessionUsage = {
  turns: 0,
  tool_calls: 0,
  usage: noUsage,
  cost_usd: 0,
  duration_ms: 0,
};
