import { once } from 'node:events';
import { serveDeliveries } from '../../src/app/deliveries/serve-deliveries.ts';

// A process of the App whose deliveries leave work behind that fails later.
const started = Promise.withResolvers<void>();
const signalled = once(process, 'SIGUSR2');

serveDeliveries(process, {
  async handle({ payload: { does } }, { signal }, { budget, store, log }) {
    if (does === 'leave for the next') void started.promise.then(() => store.set('late', 'yes'));
    if (does === 'leave for a signal') void signalled.then(() => budget.take('progress'));
    if (does === 'await the late work') {
      const stray = once(process, 'uncaughtException');
      started.resolve();
      await stray;
    }
    if (does === 'break') {
      const stopped = once(signal, 'abort');
      void Promise.reject(new Error('a defect of its own'));
      await stopped;
    }
    log.info({ process: process.pid, stopped: signal.aborted }, String(does));
  },
  async actAtOnce() {},
});
