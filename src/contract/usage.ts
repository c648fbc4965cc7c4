import * as z from 'zod';

/**
 * Tokens as the provider counted them. `input` excludes what was read from or written to its cache.
 */
export const Usage = z.object({
  input: z.int().nonnegative(),
  output: z.int().nonnegative(),
  cache_read: z.int().nonnegative(),
  cache_write: z.int().nonnegative(),
});
export type Usage = z.infer<typeof Usage>;

/** Usage of earlier parts of a session. The final figures of a resumed part include it. */
export const SessionUsage = z.object({
  turns: z.int(),
  tool_calls: z.int(),
  usage: Usage,
  /** In US dollars; null if a price was unknown. */
  cost_usd: z.number().nullable(),
  /** Working time of the parts in milliseconds, without the time between them. */
  duration_ms: z.number(),
});
export type SessionUsage = z.infer<typeof SessionUsage>;
