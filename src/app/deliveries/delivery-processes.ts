import type { Config } from '../../config/schema.ts';
import type { IncomingEvent } from '../../contract/event.ts';
import { type Lease, LeaseLost } from '../../contract/state-store.ts';
import type { AppContext, DeliveryHands } from './app-context.ts';
import { bindDelivery } from './bind-delivery.ts';
import type { Shared } from './delivery-methods.ts';
import { createDeliveryPool } from './delivery-pool.ts';
import { frontPorts } from './front-ports.ts';
import {
  type Ask,
  type DeliveryProcess,
  type DeliveryProgram,
  ProcessSilent,
  startDeliveryProcess,
} from './start-delivery-process.ts';
import { createTurns } from './turns.ts';

/** So many processes act at once side by side. */
const mostAtOnce = 4;

export interface DeliveryProcessesOptions extends DeliveryProgram {
  readonly operatorConfig: Config;
  /** A process that answers nothing for so long, in milliseconds, is killed. */
  readonly longestSilence: number;
  /**
   * The same where a process acts at once, which takes seconds, and where a delivery held one up before: it would again, while others
   * wait for its place. Left out, ten seconds; never more than `longestSilence`.
   */
  readonly shortSilence?: number;
  /** Aborted when the App is told to stop: a run in hand ends as cancelled. */
  readonly signal: AbortSignal;
}

/**
 * Works on deliveries in processes of their own, so that a text which holds one up, or ends it, costs one attempt at one delivery. A
 * process is started when it is needed first, and kept for the next delivery.
 */
export function createDeliveryProcesses(options: DeliveryProcessesOptions): DeliveryHands {
  const { operatorConfig, longestSilence } = options;
  const shortSilence = Math.min(options.shortSilence ?? 10_000, longestSilence);
  const heldUp = new Set<string | null>();
  const inTurn = createTurns(mostAtOnce);
  const pool = createDeliveryPool(() => startDeliveryProcess(options));

  const work = async (
    event: IncomingEvent,
    lease: Lease | null,
    app: AppContext,
    longestSilence: number,
    ask: (call: Parameters<Ask>[0], shared: Shared, process: DeliveryProcess) => ReturnType<Ask>,
  ): Promise<void> => {
    const bound = await bindDelivery(event, lease, app);
    if (bound === null) {
      app.log.info({ delivery: event.delivery_id, event: event.name }, 'Not of an installation; ignored.');
      return;
    }
    await pool.use(async (process) => {
      const ports = frontPorts(bound, process.stopRun);
      try {
        const shared = sharedOf(app, bound.tenant, operatorConfig);
        return await process.work(ports.handlers, longestSilence, (call) => ask(call, shared, process));
      } finally {
        ports.release();
      }
    });
  };

  return {
    async handle(event, attempt, app) {
      const { signal: claimed, lease, ...number } = attempt;
      const silence = heldUp.delete(event.delivery_id) ? shortSilence : longestSilence;
      const worked = work(event, lease, app, silence, async (call, shared, process) => {
        // The queue's own signal: the claim is gone, or the App closes without waiting any longer. Both end the attempt.
        const lost = (): void =>
          process.kill(new LeaseLost('The queue took the delivery back while it was worked on.'));
        if (claimed.aborted) lost();
        claimed.addEventListener('abort', lost, { once: true });
        try {
          return await call('handle', { event, shared, attempt: number }, options.signal);
        } finally {
          claimed.removeEventListener('abort', lost);
        }
      });
      await worked.catch((error: unknown) => {
        if (error instanceof ProcessSilent && !attempt.last) heldUp.add(event.delivery_id);
        throw error;
      });
    },
    async actAtOnce(event, app) {
      await inTurn(() =>
        work(event, null, app, shortSilence, (call, shared) => call('actAtOnce', { event, shared })),
      );
    },
    close: pool.close,
  };
}

function sharedOf(
  { environment, ownLogin, reportSecret }: AppContext,
  tenant: string,
  operatorConfig: Config,
): Shared {
  const { apiUrl, serverUrl, dataDirectory, publicUrl, sandbox, logLevel } = environment;
  const own = { tenant, reportSecret, ownLogin, operatorConfig };
  return { apiUrl, serverUrl, dataDirectory, publicUrl, sandbox, logLevel, ...own };
}
