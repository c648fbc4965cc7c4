import type { Config } from '../../config/schema.ts';
import type { IncomingEvent } from '../../contract/event.ts';
import { type Lease, LeaseLost } from '../../contract/state-store.ts';
import type { AppContext, DeliveryExecutor } from './app-context.ts';
import { bindDelivery } from './bind-delivery.ts';
import type { Shared } from './delivery-methods.ts';
import { createDeliveryPool } from './delivery-pool.ts';
import { createFrontHandlers } from './front-handlers.ts';
import {
  type Ask,
  type DeliveryProcess,
  type DeliveryProgram,
  ProcessUnresponsive,
  startDeliveryProcess,
} from './start-delivery-process.ts';

/** Maximum number of concurrent immediate actions. */
const mostAtOnce = 4;

interface DeliveryProcessesOptions extends DeliveryProgram {
  readonly operatorConfig: Config;
  /** Milliseconds without a response after which a process is killed. */
  readonly longestSilence: number;
  /**
   * Milliseconds for immediate actions, and for a delivery that stalled before, since others wait.
   * Default: 10,000, at most `longestSilence`.
   */
  readonly shortSilence?: number;
  /** Aborted when the App stops: active runs end as cancelled. */
  readonly signal: AbortSignal;
}

/**
 * Handles deliveries in separate processes, so that a text which blocks or kills one costs a single
 * attempt. Processes start on demand and are reused.
 */
export function createDeliveryProcesses(options: DeliveryProcessesOptions): DeliveryExecutor {
  const { operatorConfig, longestSilence } = options;
  const shortSilence = Math.min(options.shortSilence ?? 10_000, longestSilence);
  const stalled = new Set<string | null>();
  const inTurn = createTurns(mostAtOnce);
  const pool = createDeliveryPool(() => startDeliveryProcess(options));

  const work = async (
    { event, lease, app }: { event: IncomingEvent; lease: Lease | null; app: AppContext },
    longestSilence: number,
    ask: (call: Parameters<Ask>[0], shared: Shared, process: DeliveryProcess) => ReturnType<Ask>,
  ): Promise<void> => {
    const bound = await bindDelivery(event, lease, app);
    if (bound === null) {
      app.log.info({ delivery: event.delivery_id, event: event.name }, 'Not of an installation; ignored.');
      return;
    }
    await pool.use(async (process) => {
      const ports = createFrontHandlers(bound, process.stopRun);
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
      const silence = stalled.delete(event.delivery_id) ? shortSilence : longestSilence;
      const worked = work({ event, lease, app }, silence, async (call, shared, process) => {
        // The queue aborts if the claim is lost or the App closes. Both end the attempt.
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
        if (error instanceof ProcessUnresponsive && !attempt.last) stalled.add(event.delivery_id);
        throw error;
      });
      app.log.info({ delivery: event.delivery_id, event: event.name }, 'Handled.');
    },
    async actAtOnce(event, app) {
      await inTurn(() =>
        work({ event, lease: null, app }, shortSilence, (call, shared) =>
          call('actAtOnce', { event, shared }),
        ),
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

/** Limits concurrent actions; the others wait in order. */
export function createTurns(most: number): <Result>(act: () => Promise<Result>) => Promise<Result> {
  let acting = 0;
  const waiting: (() => void)[] = [];
  return async (act) => {
    if (acting < most) acting += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next === undefined) acting -= 1;
      else next();
    }
  };
}
