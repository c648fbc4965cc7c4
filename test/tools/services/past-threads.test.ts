import { expect, test } from 'vitest';
import type { PastRun } from '../../../src/contract/past-run.ts';
import { stateKeys } from '../../../src/contract/state-keys.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { noPastThreads, openPastThreads } from '../../../src/tools/services/past-threads.ts';

const run = (id: string, more: Partial<PastRun> = {}): PastRun => ({
  ...{ v: 1, run_id: `run_${id}`, session_id: `sess_${id}`, trust: 'own', ended_at: '2026-01-02T03:00:00Z' },
  ...{
    thread: null,
    posted: true,
    profile: 'craft',
    conclusion: 'success',
    prompt: 'p',
    answer: 'a',
    files: [],
  },
  ...more,
});

/** A store with these runs, of which each has said something. */
async function storeOf(runs: readonly PastRun[]) {
  const store = createMemoryStateStore();
  for (const [index, one] of runs.entries()) {
    await store.set(stateKeys.pastRun(`${index}`), JSON.stringify(one));
    const messages = [{ role: 'user', text: one.run_id }];
    await store.set(stateKeys.pastMessages(one.run_id), JSON.stringify(messages));
  }
  await store.set(stateKeys.pastRun(`9`), 'no json');
  return store;
}
const ids = (runs: readonly PastRun[]) => runs.map(({ run_id }) => run_id);

test('the newest part of each session is listed, and runs for outsiders see only posted text', async () => {
  const runs = [run('1'), run('2', { posted: false }), run('3', { session_id: 'sess_1' }), run('4')];
  const store = await storeOf(runs);
  const open = (trust: PastRun['trust']) => openPastThreads({ store, trust });
  expect([ids(await open('own').list()), ids(await open('outside').list())]).toEqual([
    ['run_4', 'run_3', 'run_2'],
    ['run_4', 'run_3'],
  ]);
});

test('a conversation is visible only among our own runs', async () => {
  const strange = run('2', { trust: 'outside' });
  const store = await storeOf([run('1'), strange]);
  const open = (trust: PastRun['trust']) => openPastThreads({ store, trust });
  expect([
    await open('own').messages(run('1')),
    await open('own').messages(strange),
    await open('outside').messages(run('1')),
    await open('own').messages(run('7')),
  ]).toEqual([[{ role: 'user', text: 'run_1' }], null, null, null]);
  expect([await noPastThreads.list(), await noPastThreads.messages(run('1'))]).toEqual([[], null]);
});
