import { expect, test } from 'vitest';
import {
  identityOfKey,
  isSharedKey,
  keyOfTenant,
  keyWithinTenant,
  readTenant,
  sharedKeys,
  tenantName,
  tenantOfKey,
  tenantsOf,
} from '../../src/contract/state-store.ts';

/** Ids of GitHub pass 32 bits. */
const tenant = { installation: 4_294_967_297, repository: 9_007_199_254_740_991, generation: 3 };
const name = '4294967297.9007199254740991.3';

test('a tenant is found by its name, whatever its ids are', () => {
  const own = { installation: null, repository: 1, generation: 0 };
  expect([tenantName(tenant), readTenant(name), tenantName(own), readTenant('none.1.0')]).toEqual([
    name,
    tenant,
    'none.1.0',
    own,
  ]);
});

test('no name in earlier keys is mistaken for a tenant: logins, runs, folders, numbers', () => {
  const others = [
    'acme',
    '42',
    'run_1',
    'local',
    'attempt-2',
    '1.2',
    '1.2.3.4',
    '1.2.x',
    '.2.3',
    '1.-2.3',
    '',
  ];
  expect(others.map(readTenant)).toEqual(others.map(() => null));
  expect(tenantOfKey('waiting/12/34/7/run_1')).toBeNull();
});

test("a tenant's key has the tenant after the kind, and is unchanged within the tenant", () => {
  const keys = ['waiting/7/run_1', 'waiting/', 'toolbox', 'alarm/2026-01-02T00:00:00.000Z/reminder/run_1'];
  const shared = keys.map((key) => keyOfTenant(name, key));
  expect(shared).toEqual([
    `waiting/${name}/7/run_1`,
    `waiting/${name}/`,
    `toolbox/${name}`,
    `alarm/${name}/2026-01-02T00:00:00.000Z/reminder/run_1`,
  ]);
  expect(shared.map((key) => keyWithinTenant(name, key))).toEqual(keys);
  expect(shared.map(tenantOfKey)).toEqual(shared.map(() => tenant));
  expect(tenantsOf([...shared, 'name/1.2', 'kind/1.2.3', 'x'])).toEqual(['1.2.3', name]);
});

test('keys without a tenant are recognised by their kind', () => {
  const shared = [
    sharedKeys.generation(tenant),
    sharedKeys.name(tenant),
    sharedKeys.gone(42),
    sharedKeys.removal('guid'),
    sharedKeys.body('digest'),
    sharedKeys.reportSecret(),
    sharedKeys.form(),
  ];
  expect([...shared, 'waiting/acme/shop/7', 'plan/guid'].map(isSharedKey)).toEqual([
    ...shared.map(() => true),
    false,
    false,
  ]);
  expect([identityOfKey('name/42.7'), identityOfKey('name/x')]).toEqual([
    { installation: 42, repository: 7, generation: 0 },
    null,
  ]);
});
