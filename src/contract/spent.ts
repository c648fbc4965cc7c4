import * as z from 'zod';
import { noUsage, Usage } from './usage.ts';

/** What earlier parts of a session took: the figures at the end of the part that goes on include it. */
export const Spent = z.object({
  turns: z.int(),
  tool_calls: z.int(),
  usage: Usage,
  /** In US dollars; null where a price was unknown. */
  cost_usd: z.number().nullable(),
  /** What the parts worked, without the time between them. */
  duration_ms: z.number(),
});
export type Spent = z.infer<typeof Spent>;

/** Nothing at all. */
export const noSpent: Spent = { turns: 0, tool_calls: 0, usage: noUsage, cost_usd: 0, duration_ms: 0 };
