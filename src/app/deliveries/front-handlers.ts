import { RunStopped } from '../../contract/errors.ts';
import type { StopReason } from '../../contract/limits.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { ActiveRun } from './delivery-methods.ts';
import type { FrontHandlers } from './start-delivery-process.ts';

/** Handlers of the front process for one delivery in another process. */
interface ServedDelivery {
  readonly handlers: FrontHandlers;
  /** Releases the runs that the delivery took. */
  release(): void;
}

/** Serves a delivery's context to its process. `stopRun` makes the process end a run. */
export function createFrontHandlers(
  { store, tokenFor, grants, budget, runs }: DeliveryContext<ActiveRun>,
  stopRun: (runId: string, reason: StopReason) => void,
): ServedDelivery {
  const taken = new Map<string, { release(): void }>();
  return {
    handlers: {
      'store.get': ({ key }) => store.get(key),
      'store.set': ({ key, value }) => store.set(key, value),
      'store.claim': ({ key, value }) => store.claim(key, value),
      'store.delete': ({ key }) => store.delete(key),
      'store.list': ({ prefix }) => store.list(prefix),
      token: ({ purpose, fresh }) => tokenFor(purpose)(fresh),
      grants: async () => {
        const { permissions, events, suspended } = await grants();
        return { permissions: { ...permissions }, events: [...events], suspended };
      },
      'budget.take': ({ kind }, signal) => budget.take(kind, signal),
      'budget.rest': async ({ milliseconds }) => budget.rest(milliseconds),
      'runs.take': async (run) => {
        const hand = runs.take(run);
        taken.set(run.run_id, hand);
        hand.signal.addEventListener('abort', () => {
          const { reason } = hand.signal;
          if (reason instanceof RunStopped) stopRun(run.run_id, reason.reason);
        });
      },
      'runs.release': async ({ run_id }) => taken.get(run_id)?.release(),
      'runs.list': async () => [...(await runs.list())],
      'runs.stop': ({ run_id, reason }) => runs.stop(run_id, reason),
    },
    release() {
      for (const hand of taken.values()) hand.release();
    },
  };
}
