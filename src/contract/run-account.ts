import * as z from 'zod';

/** Result of a run, as its closed pull request shows it. */
export const ClosedResult = z.object({
  merged: z.boolean(),
  /** State of the run's commit: in the closed branch, gone from it, or reverted. Null for none. */
  commit: z.enum(['kept', 'dropped', 'reverted']).nullable(),
  /** The findings that the run was the first to report, by their state. */
  findings: z.object({ fixed: z.int(), dismissed: z.int(), open: z.int() }),
});
export type ClosedResult = z.infer<typeof ClosedResult>;

/** The end of a pull request. A run that was asked for before it may end later. */
export const ClosedPull = z.object({ merged: z.boolean(), at: z.iso.datetime() });
export type ClosedPull = z.infer<typeof ClosedPull>;

/** Cost of an ended run, and its result. */
export const RunAccount = z.object({
  v: z.literal(1),
  run_id: z.string(),
  ended_at: z.iso.datetime(),
  /** `owner/name` at that time. */
  repository: z.string(),
  verb: z.string(),
  profile: z.string(),
  /** `provider/model`; '' if no model took part. */
  model: z.string(),
  conclusion: z.string(),
  /** In US dollars; null if a price is unknown. */
  cost_usd: z.number().nullable(),
  tokens: z.int().nonnegative(),
  duration_ms: z.number().nonnegative(),
  /** True if it made a commit on the pull request. */
  committed: z.boolean(),
  /** Null while its pull request is open, and for a run without one. */
  result: ClosedResult.nullable(),
});
export type RunAccount = z.infer<typeof RunAccount>;
