import * as z from 'zod';

/**
 * A run that ended, as later runs on the same repository may find it. `outside` is one that a stranger may have put words in the
 * mouth of: for a fork, or asked for by somebody who may not write. Of it no more is kept than what was posted.
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
  /** Whether what it answered can be read on its thread. */
  posted: z.boolean(),
  profile: z.string(),
  conclusion: z.string(),
  prompt: z.string(),
  answer: z.string(),
  /** Changed by the run. */
  files: z.array(z.string()),
});
export type PastRun = z.infer<typeof PastRun>;

/** One message of its conversation as it is read later: words, calls and results, each cut. */
export const PastMessage = z.object({ role: z.enum(['user', 'assistant', 'tool']), text: z.string() });
export type PastMessage = z.infer<typeof PastMessage>;

/** What past runs are kept under, sorted by when they ended. */
export const pastRuns = 'past-runs/';

/** Where the conversation of one of them is. */
export const pastMessagesKey = (runId: string): string => `past-messages/${runId}`;
