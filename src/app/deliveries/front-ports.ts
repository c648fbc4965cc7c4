import { RunStopped } from '../../contract/errors.ts';
import type { StopReason } from '../../contract/limits.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { HeldRun } from './delivery-methods.ts';
import type { DeliveryPorts } from './start-delivery-process.ts';

/** What the front process does for one delivery that another process works on. */
export interface FrontPorts {
  readonly handlers: DeliveryPorts;
  /** Lets go of the runs that the delivery took in hand. */
  release(): void;
}

/** Serves the context of one delivery to the process that works on it. `stopRun` tells the process to end a run. */
export function frontPorts(
  { store, tokenFor, grants, budget, runs }: DeliveryContext<HeldRun>,
  stopRun: (runId: string, reason: StopReason) => void,
): FrontPorts {
  const hands = new Map<string, { release(): void }>();
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
        hands.set(run.run_id, hand);
        hand.signal.addEventListener('abort', () => {
          const { reason } = hand.signal;
          if (reason instanceof RunStopped) stopRun(run.run_id, reason.reason);
        });
      },
      'runs.release': async ({ run_id }) => hands.get(run_id)?.release(),
      'runs.list': async () => [...(await runs.list())],
      'runs.stop': ({ run_id, reason }) => runs.stop(run_id, reason),
    },
    release() {
      for (const hand of hands.values()) hand.release();
    },
  };
}
