import type { Experiment, ExperimentHistory, ExperimentRun } from './experiment.ts';

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
