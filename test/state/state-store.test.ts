import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromPglite } from 'pg-boss';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Lease, LeaseLost, type StateRoot } from '../../src/contract/state-store.ts';
import { processProgram } from '../../src/run/programs/process-program.ts';
import { createDatabaseStateStore } from '../../src/state/database-state-store.ts';
import { createFileStateStore } from '../../src/state/file-state-store.ts';
import { createLeasedStateStore, holdsLease } from '../../src/state/leased-state-store.ts';
import {
  type EmbeddedDatabase,
  openEmbeddedDatabase,
} from '../../src/webhooks/deliveries/embedded-database.ts';
import { copyDatabase } from '../support/shared/copy-database.ts';

const folder = (): string => join(mkdtempSync(join(tmpdir(), 'anode-state-')), 'state');
let database: EmbeddedDatabase;
const stores: Record<string, StateRoot> = {};
beforeAll(async () => {
  stores.file = createFileStateStore({ folder: folder(), secret: null, onRejected: fail });
  stores.signed = createFileStateStore({ folder: folder(), secret: 'a secret', onRejected: fail });
  const data = folder();
  await copyDatabase(data);
  database = await openEmbeddedDatabase(processProgram('database-process'), data);
  stores.database = await createDatabaseStateStore(fromPglite(database));
});
afterAll(() => database.close());

function fail(message: string): never {
  throw new Error(message);
}
function storeOf(name: string): StateRoot {
  return stores[name] ?? fail(`no store ${name}`);
}

describe.each(['file', 'signed', 'database'])('the %s store', (name) => {
  it('returns the last value set, and null for a missing key', async () => {
    const store = storeOf(name);
    await store.set('head/acme/shop/1', 'one');
    await store.set('head/acme/shop/1', 'zwei ✓\n');
    expect([await store.get('head/acme/shop/1'), await store.get('head/acme/shop/2')]).toEqual([
      'zwei ✓\n',
      null,
    ]);
    await store.delete('head/acme/shop/1');
    await store.delete('head/acme/shop/1');
    expect(await store.get('head/acme/shop/1')).toBeNull();
  });

  it('lets exactly one of many claim a key', async () => {
    const store = storeOf(name);
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.claim('lease/x', String(index))),
    );
    expect(claims.filter(Boolean)).toEqual([true]);
    expect(await store.get('lease/x')).toBe(String(claims.indexOf(true)));
  });

  it('deletes values last written before a time, only below a prefix', async () => {
    const store = storeOf(name);
    for (const key of ['old/a', 'old/b/c', 'older/a']) await store.set(key, key);
    const none = await store.deleteOld('old/', new Date(Date.now() - 60_000));
    const both = await store.deleteOld('old/', new Date(Date.now() + 60_000));
    expect([none, both, await store.list('old')]).toEqual([0, 2, ['older/a']]);
    await store.delete('older/a');
  });

  it('lists keys by prefix, sorted, with any characters', async () => {
    const store = storeOf(name);
    const keys = ['list/a', 'list/a/b', 'list/a_c', 'list/..', 'list/.hidden', 'list/ü %', 'other/a'];
    for (const key of keys) await store.set(key, key);
    expect(await store.list('list/')).toEqual(keys.slice(0, -1).sort());
    expect(await store.list('list/a/')).toEqual(['list/a/b']);
    expect(await Promise.all(keys.map((key) => store.get(key)))).toEqual(keys);
    expect(await store.list('list//')).toEqual([]);
  });
});

describe.each(['file', 'signed', 'database'])('the %s store', (name) => {
  it('deletes all values of a tenant, of every kind, and none of another', async () => {
    const store = storeOf(name);
    const own = ['kind/4.1.0/a/b', 'kind/4.1.0/c', 'toolbox/4.1.0', 'other/4.1.0/run_1'];
    const others = [
      'kind/4.1.1/a',
      'kind/4.11.0/a',
      'kind/14.1.0/a',
      'kind/none.1.0/a',
      'name/4.1',
      'kind/x/4.1.0',
    ];
    for (const key of [...own, ...others]) await store.set(key, key);
    const tenants = await store.tenants();
    const deleted = [await store.deleteTenant('4.1.0'), await store.deleteTenant('4.1.0')];
    const left = (await store.list('')).filter((key) => others.includes(key) || own.includes(key));
    expect({ tenants, deleted, left }).toEqual({
      tenants: ['14.1.0', '4.1.0', '4.1.1', '4.11.0', 'none.1.0'],
      deleted: [4, 0],
      left: others.toSorted(),
    });
    for (const key of others) await store.delete(key);
  });
});

describe('a signed folder', () => {
  const options = () => {
    const rejected: string[] = [];
    return { rejected, base: { folder: folder(), onRejected: (message: string) => rejected.push(message) } };
  };
  const files = (path: string): string[] => readdirSync(path, { recursive: true }).map(String).sort();

  it('treats a forged, unsigned, moved or broken value as absent, with a notice', async () => {
    const { rejected, base } = options();
    const store = createFileStateStore({ ...base, secret: 'right' });
    await createFileStateStore({ ...base, secret: 'wrong' }).set('s/forged', 'x');
    await createFileStateStore({ ...base, secret: null }).set('s/unsigned', 'x');
    await store.set('s/original', 'x');
    writeFileSync(join(base.folder, 's/moved.json'), readFileSync(join(base.folder, 's/original.json')));
    writeFileSync(join(base.folder, 's/broken.json'), '{"v":1');
    const keys = ['s/forged', 's/unsigned', 's/moved', 's/broken', 's/original'];
    expect(await Promise.all(keys.map((key) => store.get(key)))).toEqual([null, null, null, null, 'x']);
    expect(rejected.sort()).toEqual([
      'The state at s/broken is not in our format; it is taken as absent.',
      'The state at s/forged is not signed with our secret; it is taken as absent.',
      'The state at s/moved is not signed with our secret; it is taken as absent.',
      'The state at s/unsigned is not signed with our secret; it is taken as absent.',
    ]);
    expect(await store.claim('s/forged', 'ours')).toBe(true);
    expect(await store.get('s/forged')).toBe('ours');
  });

  it('leaves no temporary file and no key outside the folder', async () => {
    const { base } = options();
    const store = createFileStateStore({ ...base, secret: null });
    await store.set('../../escape', 'x');
    await store.claim('../../escape', 'y');
    expect(files(base.folder)).toEqual(['%2E.', '%2E./%2E.', '%2E./%2E./escape.json']);
    await expect(store.set('a//b', 'x')).rejects.toThrow('A state key has an empty part.');
  });
});

describe('the store of an attempt that holds a lease', () => {
  it('writes while the lease is valid, and nothing after it is lost', async () => {
    const sql = fromPglite(database);
    await sql.executeSql('CREATE TABLE test_lease (attempt int)');
    await sql.executeSql('INSERT INTO test_lease VALUES (1)');
    const leaseOf = (attempt: number): Lease => ({
      query: (first) => `SELECT 1 FROM test_lease WHERE attempt = $${first}::int FOR SHARE`,
      values: [attempt],
    });
    const shared = storeOf('database');
    const [old, next] = [1, 2].map((attempt) => createLeasedStateStore(shared, sql, leaseOf(attempt)));
    if (old === undefined || next === undefined) throw new Error('no store');
    await old.set('leased/a', 'one');
    await old.set('leased/a', 'two');
    const claims = [await old.claim('leased/b', 'b'), await old.claim('leased/b', 'c')];
    await old.claim('leased/c', 'c');
    await old.delete('leased/c');
    expect([claims, await old.get('leased/a'), await old.list('leased/')]).toEqual([
      [true, false],
      'two',
      ['leased/a', 'leased/b'],
    ]);

    await sql.executeSql('UPDATE test_lease SET attempt = 2');
    const later = new Date(Date.now() + 60_000);
    for (const write of [
      () => old.set('leased/a', 'late'),
      () => old.claim('leased/d', 'late'),
      () => old.claim('leased/b', 'late'),
      () => old.delete('leased/a'),
      () => old.deleteOld('leased/', later),
    ])
      await expect(write()).rejects.toBeInstanceOf(LeaseLost);
    expect([await holdsLease(sql, leaseOf(1)), await holdsLease(sql, leaseOf(2))]).toEqual([false, true]);
    expect([await old.get('leased/a'), await old.list('leased/')]).toEqual(['two', ['leased/a', 'leased/b']]);
    expect([await next.deleteOld('leased/', later), await old.list('leased/')]).toEqual([2, []]);
  });
});
