import type { ExperimentHistory } from '../../contract/experiment.ts';

/**
 * What a run is told that ends while a benchmark that it ran is not logged, the first time; null after that, and where none waits. Its
 * change would be published though nobody said that it is worth it.
 */
export function unloggedRun(run: {
  readonly history: { readonly experiment: ExperimentHistory | null };
}): () => string | null {
  let asked = false;
  return () => {
    const pending = run.history.experiment?.experiment.pending ?? null;
    if (asked || pending === null) return null;
    asked = true;
    const status = pending.outcome === 'measured' ? 'keep or discard' : pending.outcome;
    return `Run ${pending.number} of the experiment is not logged, and its change is still in the files. Call log_experiment with status ${status}, so that it is kept or put back; then end with your whole answer again, as only the last message is posted.`;
  };
}
