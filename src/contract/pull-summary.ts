import * as z from 'zod';

/** One part of a change by its meaning, as a reviewer describes it. */
const Group = z.object({
  title: z.string().min(1).max(120),
  files: z.array(z.string().min(1).max(300)).max(60),
  what: z.string().min(1).max(500),
});

/** An arrow of the picture: one part acts on another. */
const Arrow = z.object({
  from: z.string().min(1).max(40),
  to: z.string().min(1).max(40),
  label: z.string().max(40).optional(),
});

/** Purpose and parts of a pull request, for people who have little time. */
export const Walkthrough = z.object({
  overview: z.string().min(1).max(1_200),
  groups: z.array(Group).max(12),
  /** Arrows between the parts of the change. Omitted for fewer than three parts. */
  diagram: z.array(Arrow).max(12).optional(),
});
export type Walkthrough = z.infer<typeof Walkthrough>;

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
