import type { AppContext, DeliveryHands } from './app-context.ts';
import { bindDelivery } from './bind-delivery.ts';
import type { Config } from './config/schema.ts';
import type { IncomingEvent } from './contract/event.ts';
import { type Lease, LeaseLost } from './contract/lease.ts';
import type { Shared } from './delivery-methods.ts';
import { createDeliveryPool } from './delivery-pool.ts';
import { frontPorts } from './front-ports.ts';
import {
  type Ask,
  type DeliveryProcess,
  type DeliveryProgram,
  startDeliveryProcess,
} from './start-delivery-process.ts';
import { createTurns } from './turns.ts';

/** So many processes act at once side by side. What they do takes seconds, and none is silent meanwhile for so many milliseconds. */
const mostAtOnce = 4;
const longestSilenceAtOnce = 10_000;

export interface DeliveryProcessesOptions extends DeliveryProgram {
  readonly operatorConfig: Config;
  /** A process that answers nothing for so long, in milliseconds, is killed. */
  readonly longestSilence: number;
  /** Aborted when the App is told to stop: a run in hand ends as cancelled. */
  readonly signal: AbortSignal;
}

/**
 * Works on deliveries in processes of their own, so that a text which holds one up, or ends it, costs one attempt at one delivery. A
 * process is started when it is needed first, and kept for the next delivery.
 */
export function createDeliveryProcesses(options: DeliveryProcessesOptions): DeliveryHands {
  const { operatorConfig } = options;
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
      await work(event, lease, app, options.longestSilence, async (call, shared, process) => {
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
    },
    async actAtOnce(event, app) {
      const silence = Math.min(longestSilenceAtOnce, options.longestSilence);
      await inTurn(() =>
        work(event, null, app, silence, (call, shared) => call('actAtOnce', { event, shared })),
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
