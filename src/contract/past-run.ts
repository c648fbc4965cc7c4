import * as z from 'zod';

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
