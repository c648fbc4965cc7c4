import * as z from 'zod';
import { RunPlan } from './plan.ts';

/**
 * A run whose comment on GitHub does not yet say how it ended. Kept from before that comment is posted until it does, so that
 * whatever happens to the process, somebody can close it.
 */
export const OpenRun = z.object({
  version: z.literal(1),
  plan: RunPlan,
  /** Where the log of the run can be seen. */
  run_url: z.string().nullable(),
  /** What the comment has to say; null while the run goes on. */
  body: z.string().nullable(),
});
export type OpenRun = z.infer<typeof OpenRun>;

/** Where open runs are kept, as the JSON of an `OpenRun`. */
export const openRuns = 'open/';
export const openKey = (runId: string): string => `${openRuns}${runId}`;

/** Where it is kept that somebody wants a run stopped that another process may have in hand: a sentence that says who. */
export const stopKey = (runId: string): string => `stop/${runId}`;
