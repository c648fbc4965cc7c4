import * as z from 'zod';

/** The bounds of one run; null means none of that kind. */
export const RunLimits = z.object({
  max_turns: z.int().positive().nullable(),
  max_tool_calls: z.int().positive().nullable(),
  max_tokens: z.int().positive().nullable(),
  max_cost_usd: z.number().positive().nullable(),
  timeout_seconds: z.int().positive().nullable(),
});
export type RunLimits = z.infer<typeof RunLimits>;
