import { RunStopped } from './contract/errors.ts';
import { stopKey } from './contract/open-run.ts';
import type { RunPlan } from './contract/plan.ts';
import type { StateStore } from './contract/session.ts';
import type { StopReason } from './contract/stop-reason.ts';

/** The runs that this process works on. */
export interface RunsInHand {
  /** Takes a run in hand until it is released; the signal ends it. */
  take(plan: RunPlan): { readonly signal: AbortSignal; release(): void };
  plans(): readonly RunPlan[];
  /** Ends a run with a reason that its report tells; false where it is not in hand. */
  stop(runId: string, reason: StopReason): boolean;
  /** Ends those that somebody asked another process to stop. */
  heed(store: StateStore): Promise<void>;
}

/** No runs yet. */
export function createRunsInHand(): RunsInHand {
  const runs = new Map<string, { readonly plan: RunPlan; readonly controller: AbortController }>();
  const stop: RunsInHand['stop'] = (runId, reason) => {
    const run = runs.get(runId);
    run?.controller.abort(new RunStopped(reason));
    return run !== undefined;
  };
  return {
    take(plan) {
      const controller = new AbortController();
      runs.set(plan.run_id, { plan, controller });
      return { signal: controller.signal, release: () => void runs.delete(plan.run_id) };
    },
    plans: () => [...runs.values()].map(({ plan }) => plan),
    stop,
    async heed(store) {
      for (const runId of runs.keys()) {
        const message = await store.get(stopKey(runId));
        if (message !== null) stop(runId, { kind: 'cancelled', message });
      }
    },
  };
}
