import { expect, test } from 'vitest';
import { fireTimers } from '../../src/app/fire-timers.ts';
import type { IncomingEvent } from '../../src/contract/event.ts';
import { stateKeys } from '../../src/contract/state-keys.ts';
import { keyOfTenant } from '../../src/contract/state-store.ts';
import type { ThreadTimer } from '../../src/contract/thread-records.ts';
import { createMemoryStateStore } from '../../src/state/memory-state-store.ts';

const timer: ThreadTimer = {
  version: 1,
  kind: 'reminder',
  due: '2026-01-02T00:00:00.000Z',
  run_id: 'run_1',
  installation_id: 41,
  repository: { owner: 'acme', name: 'shop' },
  thread: { kind: 'pull_request', number: 7 },
  requester: { login: 'ada', id: 1, type: 'User' },
};
const keyOf = (one: ThreadTimer) => keyOfTenant('42.7.0', stateKeys.timer(one));
const later: ThreadTimer = { ...timer, kind: 'deadline', due: '2026-01-03T00:00:00.000Z' };

test('a due timer becomes an event of its thread once, and a later one waits', async () => {
  const store = createMemoryStateStore();
  for (const one of [later, timer]) await store.set(keyOf(one), JSON.stringify(one));
  await store.set('alarm/42.7.0/2026-01-01T00:00:00.000Z/reminder/run_0', 'no alarm');
  const events: IncomingEvent[] = [];
  const ring = (at: string) => fireTimers(store, new Date(at), async (event) => events.push(event));
  await ring('2026-01-02T12:00:00Z');
  await ring('2026-01-02T13:00:00Z');
  expect([events, await store.list('')]).toEqual([
    [
      {
        name: 'anode_alarm',
        delivery_id: 'reminder-run_1',
        payload: {
          action: 'reminder',
          due: timer.due,
          run_id: 'run_1',
          repository: { id: 7, name: 'shop', full_name: 'acme/shop', owner: { login: 'acme' } },
          issue: { number: 7, pull_request: {} },
          sender: timer.requester,
          installation: { id: 42 },
        },
      },
    ],
    [keyOf(later)],
  ]);
});

test('a timer is fired again if its event could not be queued', async () => {
  const store = createMemoryStateStore();
  await store.set(keyOf(timer), JSON.stringify(timer));
  const ring = fireTimers(store, new Date('2026-02-01T00:00:00Z'), async () => {
    throw new Error('no queue');
  });
  await expect(ring).rejects.toThrow('no queue');
  expect(await store.list('')).toEqual([keyOf(timer)]);
});

test('an overdue reminder is dropped, an overdue deadline is not', async () => {
  const store = createMemoryStateStore();
  for (const one of [later, timer]) await store.set(keyOf(one), JSON.stringify(one));
  const ids: unknown[] = [];
  await fireTimers(store, new Date('2026-02-01T00:00:00Z'), async (event) => ids.push(event.delivery_id));
  expect([ids, await store.list('')]).toEqual([['deadline-run_1'], []]);
});
