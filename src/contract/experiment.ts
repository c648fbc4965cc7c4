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

/**
 * Combines ledger entries: each has an experiment's state and the runs logged since the entry
 * before. In the order in which they began.
 */
export function experimentsOf(entries: readonly ExperimentHistory[]): ExperimentHistory[] {
  const byId = new Map<string, ExperimentHistory>();
  for (const { experiment, runs } of entries) {
    const before = byId.get(experiment.id)?.runs ?? [];
    byId.set(experiment.id, { experiment, runs: [...before, ...runs] });
  }
  return [...byId.values()];
}

/** The run with the best value among the baseline and the kept ones. Undefined before the first. */
export function bestRun({
  experiment,
  runs,
}: ExperimentHistory): (ExperimentRun & { value: number }) | undefined {
  const sign = experiment.direction === 'lower' ? 1 : -1;
  return runs
    .flatMap((run) => (isApplied(run) && run.value !== null ? [{ ...run, value: run.value }] : []))
    .reduce<(ExperimentRun & { value: number }) | undefined>(
      (best, run) => (best === undefined || sign * run.value < sign * best.value ? run : best),
      undefined,
    );
}

/** Returns true if the change of a run stayed in the work tree. */
function isApplied({ status }: ExperimentRun): boolean {
  return status === 'baseline' || status === 'keep';
}

/**
 * Returns the improvement over a reference in percent. Negative for worse; null if the reference is
 * 0.
 */
export function gainOver(
  reference: number,
  value: number,
  direction: Experiment['direction'],
): number | null {
  if (reference === 0) return null;
  const gain = ((value - reference) / Math.abs(reference)) * 100;
  return direction === 'lower' ? -gain : gain;
}
