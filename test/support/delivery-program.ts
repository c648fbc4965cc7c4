import { deliveryMethods, frontMethods } from '../../src/app/deliveries/delivery-methods.ts';
import { createChannel } from '../../src/channel/create-channel.ts';

// A process that works on deliveries as the word in their payload says.
const front = createChannel(process, frontMethods, deliveryMethods, {
  async handle({ event }, signal) {
    const { does } = event.payload;
    if (does === 'block') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (does === 'crash') process.kill(process.pid, 'SIGSEGV');
    if (does === 'wait') await new Promise((resolve) => signal.addEventListener('abort', resolve));
    if (does === 'write') await front.call('store.set', { key: 'written', value: 'yes' });
    if (does === 'token') await front.call('token', { purpose: 'write', fresh: false });
    if (does === 'take') {
      const run = { run_id: 'run_1', tenant: 'of another', thread: 7, plan: '{}' };
      await front.call('runs.take', run);
      await new Promise<void>((resolve) => {
        stopped = resolve;
      });
    }
    await front.call('log', { line: `${process.pid} ${Object.keys(process.env).toSorted()}\n` });
    return { taken: true, reusable: does !== 'once' };
  },
  actAtOnce: async () => ({ taken: true, reusable: true }),
  'runs.stop': async ({ reason }) => {
    await front.call('log', { line: `${reason.message}\n` });
    stopped();
  },
  alive: async () => undefined,
});
let stopped = (): void => {};
void front.closed.then(() => process.exit());
