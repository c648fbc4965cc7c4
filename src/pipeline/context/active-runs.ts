import { RunStopped } from '../../contract/errors.ts';
import type { StopReason } from '../../contract/limits.ts';
import type { RunPlan } from '../../contract/plan.ts';

/** The runs that this App or job works on. */
export interface ActiveRuns<Run = RunPlan> {
  /** Registers a run until it is released; the signal ends it. */
  take(run: Run): { readonly signal: AbortSignal; release(): void };
  list(): Promise<readonly Run[]>;
  /** Ends a run with a reason for its report. Returns false if it is not active here. */
  stop(runId: string, reason: StopReason): Promise<boolean>;
}

/** The active runs of this process. */
export interface OwnRuns<Run = RunPlan> extends ActiveRuns<Run> {
  readonly all: () => readonly Run[];
  /** Ends the runs that `why` gives a sentence for, such as a stop requested by another process. */
  stopWhere(why: (run: Run) => Promise<string | null>): Promise<void>;
}

/** Creates an empty registry. */
export function createActiveRuns<Run extends { readonly run_id: string } = RunPlan>(): OwnRuns<Run> {
  const runs = new Map<string, { readonly run: Run; readonly controller: AbortController }>();
  const all = () => [...runs.values()].map(({ run }) => run);
  const stop: ActiveRuns['stop'] = async (runId, reason) => {
    const found = runs.get(runId);
    found?.controller.abort(new RunStopped(reason));
    return found !== undefined;
  };
  return {
    take(run) {
      const controller = new AbortController();
      const own = { run, controller };
      runs.set(run.run_id, own);
      return {
        signal: controller.signal,
        // Another attempt may have registered the same run since.
        release: () => void (runs.get(run.run_id) === own && runs.delete(run.run_id)),
      };
    },
    all,
    list: async () => all(),
    stop,
    async stopWhere(why) {
      for (const run of all()) {
        const message = await why(run);
        if (message !== null) await stop(run.run_id, { kind: 'cancelled', message });
      }
    },
  };
}
