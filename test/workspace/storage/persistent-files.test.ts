import { beforeEach, expect, test } from 'vitest';
import type { StateStore } from '../../../src/contract/state-store.ts';
import { createPersistentFiles } from '../../../src/workspace/storage/persistent-files.ts';

let values: Map<string, string>;
let clock: number;
beforeEach(() => {
  values = new Map();
  clock = 1_000;
});

const store = {
  get: async (key: string) => values.get(key) ?? null,
  set: async (key: string, value: string) => void values.set(key, value),
  delete: async (key: string) => void values.delete(key),
  list: async (prefix: string) => [...values.keys()].filter((key) => key.startsWith(prefix)).sort(),
} as StateStore;
const kept = createPersistentFiles({
  store,
  now: () => {
    clock += 1;
    return new Date(clock);
  },
});
const change = (files: Readonly<Record<string, string | null>>) => new Map(Object.entries(files));

test('a later text replaces an earlier one, and null removes a file', async () => {
  await kept.promote('run_1', change({ a: 'one', b: 'two', c: 'three' }));
  await kept.promote('run_2', change({ a: 'more', b: null }));
  expect([...(await kept.load())]).toEqual([
    ['c', 'three'],
    ['a', 'more'],
  ]);
  expect([...values]).toEqual([
    ['persist/000000000001001-run_1', '{"v":1,"files":{"a":"one","b":"two","c":"three"}}'],
    ['persist/000000000001002-run_2', '{"v":1,"files":{"a":"more","b":null}}'],
  ]);
});

test('a file and a folder with the same name exclude each other, and the later one stays', async () => {
  await kept.promote('run_1', change({ 'a/b': 'one', ab: 'x', c: 'two' }));
  await kept.promote('run_2', change({ a: 'file', 'c/d': 'below' }));
  expect(Object.fromEntries(await kept.load())).toEqual({ ab: 'x', a: 'file', 'c/d': 'below' });
});

test('an invalid value is ignored', async () => {
  for (const [key, value] of Object.entries({
    1: 'no json',
    2: '{"v":2,"files":{"a":"x"}}',
    3: '{"v":1,"files":{"a":1}}',
  }))
    values.set(`persist/${key}`, value);
  values.set('persist/4', '{"v":1,"files":null}');
  values.set('persist/5', '{"v":1,"files":{"__proto__":"kept"}}');
  expect([...(await kept.load())]).toEqual([['__proto__', 'kept']]);
});

test('sixteen changes are merged into one with the same effect', async () => {
  for (let run = 1; run <= 15; run += 1) await kept.promote(`run_${run}`, change({ [`f${run}`]: `${run}` }));
  const before = values.size;
  await kept.promote('run_16', change({ f1: null }));
  expect([before, [...values.keys()]]).toEqual([15, ['persist/000000000001016-run_16~']]);
  expect(Object.keys(Object.fromEntries(await kept.load()))).toEqual(
    Array.from({ length: 14 }, (_, index) => `f${index + 2}`),
  );
});

test('files beyond the limits are dropped, those unchanged for longest first', async () => {
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`f${index}`, 'x']));
  await kept.promote('run_1', change(many));
  const names = [...(await kept.load()).keys()];
  expect([names.length, names[0], names.at(-1)]).toEqual([100, 'f1', 'f100']);
  const half = 'é'.repeat(256 * 1024);
  await kept.promote('run_2', change({ old: 'x', big: half, new: half }));
  expect([...(await kept.load()).keys()]).toEqual(['big', 'new']);
});

test('a list that changes while it is read is read again, at most five times', async () => {
  let lists = 0;
  const list = async () => {
    lists += 1;
    return [`${lists}`];
  };
  const restless = { ...store, list } as StateStore;
  const found = await createPersistentFiles({ store: restless, now: () => new Date(0) }).load();
  expect([found.size, lists]).toEqual([0, 6]);
});
