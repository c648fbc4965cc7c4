import * as z from 'zod';

/** Verdict on a measured change. */
export const experimentStatuses = ['baseline', 'keep', 'discard', 'crash', 'checks_failed'] as const;

/** A logged run of a benchmark. */
export const ExperimentRun = z.object({
  /** From 1, in the order in which they ran. */
  number: z.int().positive(),
  status: z.enum(experimentStatuses),
  /** The primary metric; null where none was measured. */
  value: z.number().nullable(),
  /** True where the model gave the value instead of the measured value. */
  stated: z.boolean().optional(),
  /** Further metrics of the benchmark, by name. */
  metrics: z.record(z.string(), z.number()),
  description: z.string(),
  /** The commit of a kept change, in the git directory of the run. */
  commit: z.string().optional(),
  duration_ms: z.number(),
});
export type ExperimentRun = z.infer<typeof ExperimentRun>;

/** A benchmark that was run and is not logged yet: the next one waits for that. */
export const PendingRun = ExperimentRun.omit({ status: true, description: true, stated: true }).extend({
  outcome: z.enum(['measured', 'crash', 'checks_failed']),
  /** The reason why a run was not measured; '' for a measured one. */
  why: z.string(),
});
export type PendingRun = z.infer<typeof PendingRun>;

/** The goal, command and state of an experiment, without its runs. */
export const Experiment = z.object({
  /** Tells it from others of the same session. */
  id: z.string(),
  name: z.string(),
  objective: z.string().optional(),
  metric: z.string(),
  unit: z.string().optional(),
  direction: z.enum(['lower', 'higher']),
  command: z.string().optional(),
  checks: z.string().optional(),
  timeout_ms: z.int(),
  checks_timeout_ms: z.int(),
  scope: z.array(z.string()).optional(),
  /** Null for no limit. */
  max_runs: z.int().nullable(),
  /** Git's name of the tree to which a dropped change is reverted. */
  checkpoint: z.string(),
  /** True if a later part of the session can restore that tree. */
  checkpoint_kept: z.boolean(),
  pending: PendingRun.nullable(),
});
export type Experiment = z.infer<typeof Experiment>;

/** An experiment with all of its runs that were logged. */
export const ExperimentHistory = z.object({ experiment: Experiment, runs: z.array(ExperimentRun) });
export type ExperimentHistory = z.infer<typeof ExperimentHistory>;
