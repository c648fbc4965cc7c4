import { expect, test } from 'vitest';
import { RunStopped } from '../../src/contract/errors.ts';
import { sharedKeys } from '../../src/contract/state-store.ts';
import { createMemoryStateStore } from '../../src/state/memory-state-store.ts';
import { isGone, openRepositoryState } from '../../src/state/repository-state.ts';

const shop = { installation: 42, repository: 7 };

test("two repositories use the same keys without seeing each other's values", async () => {
  const root = createMemoryStateStore();
  const one = await openRepositoryState(root, shop);
  const others = [
    await openRepositoryState(root, { installation: 42, repository: 77 }),
    await openRepositoryState(root, { installation: 4, repository: 7 }),
    await openRepositoryState(root, { installation: null, repository: 7 }),
  ];
  await one.store.set('waiting/1/run_1', 'one');
  const seen = await Promise.all(
    others.map(async ({ store }) => [
      await store.get('waiting/1/run_1'),
      await store.list('waiting/'),
      await store.claim('waiting/1/run_1', 'other'),
    ]),
  );
  for (const { store } of others) await store.delete('waiting/1/run_1');
  expect([seen, await one.store.list('waiting/1/'), one.store.repository, one.tenant]).toEqual([
    others.map(() => [null, [], true]),
    ['waiting/1/run_1'],
    7,
    '42.7.0',
  ]);
});

test('after its state was removed, an open store writes nothing, and a new one reads nothing', async () => {
  const root = createMemoryStateStore();
  const before = await openRepositoryState(root, shop);
  await before.store.set('review/1', 'before');
  await root.set(sharedKeys.generation(shop), '1');
  await expect(before.store.set('review/1', 'late')).rejects.toBeInstanceOf(RunStopped);
  await expect(before.store.claim('making/1', 'late')).rejects.toBeInstanceOf(RunStopped);
  const after = await openRepositoryState(root, shop);
  expect([await before.isOver(), await after.isOver(), await after.store.get('review/1')]).toEqual([
    true,
    false,
    null,
  ]);
});

test('a deleted installation is gone for all of its repositories, and for no other', async () => {
  const root = createMemoryStateStore();
  await root.set(sharedKeys.gone(42), 'now');
  const asked = [42, 4, null].map((installation) => isGone(root, { installation, repository: 7 }));
  expect(await Promise.all(asked)).toEqual([true, false, false]);
});
