import * as z from 'zod';
import { RunPlan } from './plan.ts';

/** Final state of a check run: its title line, and its page as Markdown. */
export const CheckEnd = z.object({
  conclusion: z.enum(['success', 'neutral', 'failure', 'cancelled']),
  title: z.string(),
  summary: z.string(),
});
export type CheckEnd = z.infer<typeof CheckEnd>;

/**
 * A run whose comment or check on GitHub does not yet say how it ended. Stored from before the
 * first post until the last, so another process can close it after a crash.
 */
export const OpenRun = z.object({
  version: z.literal(1),
  plan: RunPlan,
  /** URL of the run's log. */
  run_url: z.string().nullable(),
  /** False where no comment was posted: a review may turn out to have nothing new to look at. */
  shown: z.boolean().default(true),
  /** Final text of the comment. Null while the run is active. */
  body: z.string().nullable(),
  /**
   * The check of the run on its commit, with its text, null while the run is active; null without a
   * check.
   */
  check: z
    .object({ kind: z.enum(['check', 'status']), end: CheckEnd.nullable() })
    .nullable()
    .default(null),
});
export type OpenRun = z.infer<typeof OpenRun>;
