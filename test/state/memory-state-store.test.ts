import { expect, test } from 'vitest';
import { createMemoryStateStore } from '../../src/state/memory-state-store.ts';

test('a store in memory stores, claims, lists and deletes by key and by tenant', async () => {
  const store = createMemoryStateStore(8);
  expect([store.repository, createMemoryStateStore().repository, await store.get('a')]).toEqual([
    8,
    null,
    null,
  ]);
  const keys = ['kind/4.1.0/b', 'kind/4.1.0/a', 'other/4.1.0', 'kind/4.1.1', 'name/4.1'];
  for (const key of keys) await store.set(key, key);
  expect([await store.claim('new', 'one'), await store.claim('new', 'two'), await store.get('new')]).toEqual([
    ...[true, false, 'one'],
  ]);
  await store.delete('new');
  expect([await store.list('kind/4.1.0/'), await store.list('new'), await store.tenants()]).toEqual([
    ['kind/4.1.0/a', 'kind/4.1.0/b'],
    [],
    ['4.1.0', '4.1.1'],
  ]);
  expect([
    await store.deleteOld('', new Date(Date.now() + 60_000)),
    await store.deleteTenant('4.1.0'),
  ]).toEqual([0, 3]);
  expect([await store.deleteTenant('4.1.0'), await store.list('')]).toEqual([0, ['kind/4.1.1', 'name/4.1']]);
});
