import * as z from 'zod';
import { Walkthrough } from './walkthrough.ts';

/** The cost of one run on a pull request; null if a price is unknown. */
const RunCost = z.object({ run_id: z.string(), cost_usd: z.number().nullable(), tokens: z.int() });

/** The summary comment of a pull request as it was written last, in parts. */
export const PullSummary = z.object({
  version: z.literal(1),
  /** Null until the comment is known. */
  comment_id: z.int().nullable(),
  /** The run whose comment it became. */
  created_by: z.string(),
  /** The run that wrote it last. */
  run_id: z.string(),
  /** The commit up to which everything was reviewed; null before. */
  head: z.string().nullable(),
  /** The result of the last review, as Markdown. */
  news: z.string().max(8_000),
  /** Omissions and failures of the last review, as Markdown. */
  notes: z.string().max(40_000),
  walkthrough: Walkthrough.nullable(),
  /** Ids of the comments of findings on lines, by the ids of the findings. */
  threads: z.record(z.string(), z.int()),
  /** The newest last. */
  runs: z.array(RunCost).max(500),
  footer: z.string().max(2_000),
  /** The base branch, and the one before if the pull request was retargeted. */
  base: z.string().optional(),
  base_before: z.string().optional(),
  /** True once the pull request is merged. */
  merged: z.boolean().default(false),
  /** The text of the comment without its hidden line and its boxes. '' if it is not stored. */
  text: z.string().default(''),
});
export type PullSummary = z.infer<typeof PullSummary>;
