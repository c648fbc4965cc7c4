import { type Channel, createChannel } from './channel/create-channel.ts';
import { watchStrayErrors } from './command-line/watch-stray-errors.ts';
import { secretValues } from './config/secret-values.ts';
import { deliveryMethods, frontMethods, type Shared } from './delivery-methods.ts';
import { createLineRedactor } from './permissions/redaction/redact-line.ts';
import { type RemoteContext, remoteContext } from './remote-context.ts';
import { createLog, type Log } from './webhooks/create-log.ts';

/** A process is given so many deliveries, and none any more once it is that large, in bytes: what leaks ends with it. */
const mostDeliveries = 50;
const mostMemory = 400 * 1024 * 1024;

/** How long what works is waited for once the front process is gone, in milliseconds: its commands are ended, no more. */
const lastMs = 2_000;

/** Serves the front process at the other end of `process`'s channel, until it is gone. */
export function serveDeliveries(process: NodeJS.Process): void {
  const stopped = new AbortController();
  let deliveries = 0;
  let current: RemoteContext | null = null;
  const front: Channel<typeof frontMethods> = createChannel(process, frontMethods, deliveryMethods, {
    async handle({ event, attempt, shared }, signal) {
      const { handleDelivery } = await import('./handle-delivery.ts');
      return work(shared, ({ context }) =>
        handleDelivery(event, { ...attempt, signal: AbortSignal.any([signal, stopped.signal]) }, context, {
          operatorConfig: shared.operatorConfig,
          environment: process.env,
        }),
      );
    },
    async actAtOnce({ event, shared }) {
      const { actAtOnce } = await import('./at-once.ts');
      return work(shared, ({ context }) => actAtOnce(event, context, shared.operatorConfig));
    },
    'runs.stop': async ({ run_id, reason }) => current?.stopRun(run_id, reason),
    alive: async () => undefined,
  });
  const isBroken = watchStrayErrors(process, stopped, {
    report: (err) => logTo(front, null).error({ err }, 'An error that nothing caught ends the run.'),
    exit: () => process.exit(1),
  });
  void front.closed.then(() => {
    stopped.abort();
    if (current === null) process.exit();
    setTimeout(() => process.exit(), lastMs);
  });

  async function work(shared: Shared, act: (remote: RemoteContext) => Promise<void>) {
    deliveries += 1;
    try {
      current = remoteContext(front, shared, logTo(front, shared));
      await act(current);
    } finally {
      current = null;
      if (!process.connected) process.exit();
    }
    const small = process.memoryUsage.rss() < mostMemory;
    return { reusable: small && deliveries < mostDeliveries && !isBroken() };
  }
}

/** The log of the App, which the front process writes; without the keys that this process has. */
function logTo(front: Channel<typeof frontMethods>, shared: Shared | null): Log {
  const secrets = secretValues(process.env, shared?.operatorConfig.providers);
  const write = (line: string): void => void front.call('log', { line }).catch(() => {});
  return createLog(shared?.logLevel ?? 'info', { write }, createLineRedactor(secrets));
}
