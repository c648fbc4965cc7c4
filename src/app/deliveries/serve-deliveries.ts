import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';
import { type Channel, createChannel } from '../../channel/create-channel.ts';
import { secretValues } from '../../config/secret-values.ts';
import type { IncomingEvent } from '../../contract/event.ts';
import { watchStrayErrors } from '../../pipeline/controls/watch-stray-errors.ts';
import { createLog } from '../../redaction/create-log.ts';
import type { DeliveryAttempt } from '../../webhooks/deliveries/queue.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { deliveryMethods, frontMethods, type Shared, type Worked } from './delivery-methods.ts';
import { type RemoteContext, remoteContext } from './remote-context.ts';

/**
 * Maximum deliveries of a process, and bytes of memory after which it gets no more. Leaks end with
 * the process.
 */
const mostDeliveries = 50;
const mostMemory = 400 * 1024 * 1024;

/** Milliseconds for ending commands after the front process is gone. */
const lastMs = 2_000;

/** Handlers of a delivery. */
interface DeliveryWork {
  handle(
    event: IncomingEvent,
    attempt: DeliveryAttempt,
    context: DeliveryContext,
    shared: Shared,
  ): Promise<void>;
  actAtOnce(event: IncomingEvent, context: DeliveryContext, shared: Shared): Promise<void>;
}

/** The current delivery. */
interface Delivery {
  readonly remote: RemoteContext;
  /** Ends it. */
  readonly stopped: AbortController;
}

/** The App's own handlers, loaded on first use. */
const ownWork = (environment: NodeJS.ProcessEnv): DeliveryWork => ({
  async handle(event, attempt, context, { operatorConfig }) {
    const { handleDelivery } = await import('./handle-delivery.ts');
    await handleDelivery(event, attempt, context, { operatorConfig, environment });
  },
  async actAtOnce(event, context, { operatorConfig }) {
    const { actAtOnce } = await import('./at-once.ts');
    await actAtOnce(event, context, { operatorConfig, environment });
  },
});

/** Serves the front process over `program`'s channel until it is gone. */
export function serveDeliveries(program: NodeJS.Process, does: DeliveryWork = ownWork(program.env)): void {
  let deliveries = 0;
  let current: Delivery | null = null;
  // Separates errors of the current delivery from errors of an earlier one.
  const own = new AsyncLocalStorage<Delivery>();
  const front: Channel<typeof frontMethods> = createChannel(program, frontMethods, deliveryMethods, {
    handle: ({ event, attempt, shared }, signal) =>
      work(shared, ({ remote, stopped }) => {
        const ended = AbortSignal.any([signal, stopped.signal]);
        return does.handle(event, { ...attempt, signal: ended }, remote.context, shared);
      }),
    actAtOnce: ({ event, shared }) =>
      work(shared, ({ remote }) => does.actAtOnce(event, remote.context, shared)),
    'runs.stop': async ({ run_id, reason }) => current?.remote.stopRun(run_id, reason),
    alive: async () => undefined,
  });
  const isBroken = watchStrayErrors(program, () => (own.getStore() ?? current)?.stopped ?? null, {
    report(err) {
      const isLate = own.getStore() !== undefined && own.getStore() !== current;
      const whose = isLate ? 'is of a delivery that is over' : 'ends the run';
      logTo(front, null, program.env).error({ err }, `An error that nothing caught ${whose}.`);
    },
    exit: (stopped) => void (current?.stopped === stopped && program.exit(1)),
  });
  void front.closed.then(() => {
    if (current === null) program.exit();
    current.stopped.abort();
    setTimeout(() => program.exit(), lastMs);
  });

  async function work(shared: Shared, act: (delivery: Delivery) => Promise<void>): Promise<Worked> {
    // An earlier error is not this delivery's fault. The front gives it to another process.
    if (deliveries > 0 && isBroken()) return { taken: false, reusable: false };
    deliveries += 1;
    const remote = remoteContext(front, shared, logTo(front, shared, program.env));
    const delivery: Delivery = { remote, stopped: new AbortController() };
    current = delivery;
    try {
      await own.run(delivery, () => act(delivery));
    } finally {
      remote.end();
      current = null;
      if (!program.connected) program.exit();
    }
    const small = program.memoryUsage.rss() < mostMemory;
    return { taken: true, reusable: small && deliveries < mostDeliveries && !isBroken() };
  }
}

/** Creates the log that the front process writes, redacting this process's keys. */
function logTo(
  front: Channel<typeof frontMethods>,
  shared: Shared | null,
  environment: NodeJS.ProcessEnv,
): Logger {
  const secrets = secretValues(environment, shared?.operatorConfig.providers);
  const write = (line: string): void => void front.call('log', { line }).catch(() => {});
  return createLog(shared?.logLevel ?? 'info', { write }, secrets);
}
