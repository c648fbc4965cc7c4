import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { AppContext } from '../../../src/app/deliveries/app-context.ts';
import type { ActiveRun } from '../../../src/app/deliveries/delivery-methods.ts';
import { createDeliveryProcesses } from '../../../src/app/deliveries/delivery-processes.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import type { IncomingEvent } from '../../../src/contract/event.ts';
import { LeaseLost } from '../../../src/contract/state-store.ts';
import { wakingClock } from '../../../src/github/clock.ts';
import { createContentBudget } from '../../../src/github/content-budget.ts';
import { createActiveRuns } from '../../../src/pipeline/context/active-runs.ts';
import { createLog } from '../../../src/redaction/create-log.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';

const lines: string[] = [];
const asked: unknown[] = [];
const stopping = new AbortController();
const state = createMemoryStateStore();
const runs = createActiveRuns<ActiveRun>();
/** Whether each lease is held at present. */
let holds = true;
const refuse = (): never => {
  throw new LeaseLost('Superseded.');
};
const context: AppContext = {
  environment: readEnvironment({}),
  state,
  leased: () => ({
    state: { ...state, set: async (key, value) => (holds ? state.set(key, value) : refuse()) },
    holds: async () => holds,
  }),
  tokens: {
    async tokenFor(...of) {
      asked.push(of);
      return 'token';
    },
    grantsOf: async () => ({ permissions: {}, events: [], suspended: false }),
    visibilityOf: async () => 'public',
    ownLogin: async () => 'anode-ci[bot]',
  },
  ownLogin: 'anode-ci[bot]',
  log: createLog('silent', { write: () => undefined }, []),
  ...{ reportLinks: null, reportSecret: 'secret', afterDelivery: async () => undefined },
  runs,
  budgetOf: () => createContentBudget(wakingClock, []),
};
const hands = createDeliveryProcesses({
  file: path.join(import.meta.dirname, '../../support/delivery-program.ts'),
  environment: { KEY: 'a key', PATH: process.env.PATH },
  longestSilence: 3_000,
  shortSilence: 1_500,
  writeLine: (line) => void lines.push(line.trim()),
  operatorConfig: {},
  signal: stopping.signal,
});
afterAll(() => hands.close());
beforeEach(() => {
  holds = true;
  lines.length = 0;
  asked.length = 0;
});

/** A delivery whose handling does what the word says. */
function delivery(does: string): IncomingEvent {
  const repository = { id: 9, name: 'shop', owner: { login: 'acme' } };
  return {
    ...{ name: 'issue_comment', delivery_id: does },
    payload: { does, repository, installation: { id: 5 }, issue: { number: 7 } },
  };
}
const handle = (does: string, signal = new AbortController().signal) =>
  hands.handle(
    delivery(does),
    { attempt: 1, last: false, lastWhileDown: false, signal, lease: { query: () => '', values: [] } },
    context,
  );

test('a process is reused until it declines, and has only the variables it was given', async () => {
  await handle('go on');
  await handle('once');
  await handle('go on');
  const [pids, variables] = [0, 1].map((index) => lines.map((line) => line.split(' ')[index]));
  expect([pids?.[0] === pids?.[1], pids?.[1] === pids?.[2]]).toEqual([true, false]);
  expect(new Set(variables)).toEqual(new Set(['KEY,PATH']));
});

test('a delivery that blocks or crashes its process fails alone', async () => {
  const [blocked, crashed, fine] = await Promise.allSettled([
    handle('block'),
    handle('crash'),
    handle('go on'),
  ]);
  expect([blocked, crashed, fine]).toMatchObject([
    { reason: { message: 'The process of a delivery did not answer for 3 s and was killed.' } },
    { reason: { message: 'The process of a delivery ended (SIGSEGV).' } },
    { status: 'fulfilled' },
  ]);
  // The next attempt of what held one up is given less time.
  await expect(handle('block')).rejects.toThrow('did not answer for 1.5 s');
});

test('tokens and state belong to the delivery’s repository, and are refused without a lease', async () => {
  await handle('token');
  await handle('write');
  expect([asked, await state.get('written/5.9.0')]).toEqual([
    [[{ installation: 5, repository: 9 }, 'write', false]],
    'yes',
  ]);
  await state.delete('written/5.9.0');
  asked.length = 0;
  holds = false;
  for (const does of ['token', 'write']) await expect(handle(does)).rejects.toBeInstanceOf(LeaseLost);
  expect([asked, await state.get('written/5.9.0')]).toEqual([[], null]);
});

test('an attempt that the queue takes back is killed', async () => {
  const taken = new AbortController();
  const ended = handle('wait', taken.signal);
  taken.abort();
  await expect(ended).rejects.toBeInstanceOf(LeaseLost);
});

test('a run is active as long as its delivery, and can be stopped by its id', async () => {
  const ended = handle('take');
  // What the process says of its repository does not count.
  await expect
    .poll(() => runs.all().map(({ run_id, tenant }) => [run_id, tenant]))
    .toEqual([['run_1', '5.9.0']]);
  expect(await runs.stop('run_1', { kind: 'cancelled', message: 'Stopped by ada.' })).toBe(true);
  await ended;
  expect([lines[0], runs.all()]).toEqual(['Stopped by ada.', []]);
});

test('a run is notified when the App shuts down', async () => {
  const ended = handle('wait');
  stopping.abort();
  await ended;
  expect(lines).toHaveLength(1);
});
