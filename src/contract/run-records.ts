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

/**
 * An ended run, for later runs on the same repository. `outside` is a run whose text a stranger may
 * have influenced: for a fork, or requested by a user without write permission. Only its posted
 * text is stored.
 */
export const PastRun = z.object({
  v: z.literal(1),
  run_id: z.string(),
  session_id: z.string(),
  trust: z.enum(['own', 'outside']),
  ended_at: z.iso.datetime(),
  thread: z
    .object({ kind: z.enum(['pull_request', 'issue']), number: z.int(), title: z.string() })
    .nullable(),
  /** True if its answer was posted on its thread. */
  posted: z.boolean(),
  profile: z.string(),
  conclusion: z.string(),
  prompt: z.string(),
  answer: z.string(),
  /** Changed by the run. */
  files: z.array(z.string()),
});
export type PastRun = z.infer<typeof PastRun>;

/** One message of its conversation for later runs: texts, calls and results, each cut. */
export const PastMessage = z.object({ role: z.enum(['user', 'assistant', 'tool']), text: z.string() });
export type PastMessage = z.infer<typeof PastMessage>;
