import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dropUnowned } from '../../../src/app/removals/drop-unowned.ts';
import { type RemovalContext, removeState, sweepRemoved } from '../../../src/app/removals/remove-state.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { openRepositoryState } from '../../../src/state/repository-state.ts';
import type { Removal } from '../../../src/webhooks/triggers/find-removal.ts';
import { openSetupStore } from '../../../src/workspace/setup/setup-store.ts';

let dataFolder: string;
let state: ReturnType<typeof createMemoryStateStore>;
beforeEach(() => {
  dataFolder = mkdtempSync(path.join(tmpdir(), 'anode-remove-'));
  state = createMemoryStateStore();
});
afterEach(() => rmSync(dataFolder, { recursive: true }));

const shop = { installation: 42, repository: 7 };
const removal: Removal = { installation: 42, repositories: [7], isOver: false, reason: 'Gone.' };
const ports = (change: Partial<RemovalContext> = {}): RemovalContext => ({ state, dataFolder, ...change });
const at = (...parts: string[]) => path.join(dataFolder, ...parts);

/** Everything that is kept of a repository, as runs leave it. */
async function leave(identity: { installation: number | null; repository: number }, key: string) {
  const { store, tenant } = await openRepositoryState(state, identity);
  await store.set('waiting/1/run_1', 'words');
  await state.set(`name/${identity.installation ?? 'none'}.${identity.repository}`, 'acme/shop');
  for (const kind of ['runs', 'checkouts', 'mirrors']) {
    mkdirSync(at(kind, tenant), { recursive: true });
    writeFileSync(at(kind, tenant, 'file'), 'words');
  }
  const setups = openSetupStore(at('set-up'), 1_000);
  const folder = path.join(await setups.workFolder(), 'made');
  mkdirSync(folder);
  const made = { builtAt: '/at', folders: [{ mountPath: 'node_modules', folder }], bytes: 1, trusted: true };
  await setups.store(key.repeat(40), { ...made, repository: tenant });
  await setups.release();
  return tenant;
}

/** What is left of tenants anywhere. */
async function left() {
  const folders = ['runs', 'checkouts', 'mirrors'].flatMap((kind) =>
    existsSync(at(kind)) ? readdirSync(at(kind)).map((name) => `${kind}/${name}`) : [],
  );
  return {
    tenants: await state.tenants(),
    folders,
    setups: readdirSync(at('set-up')).map((name) => name[0]),
  };
}

test('everything of a repository is removed once, and nothing of another', async () => {
  await leave(shop, 'a');
  await leave({ installation: 42, repository: 77 }, 'b');
  await leave({ installation: 4, repository: 7 }, 'c');
  const removed = await removeState(removal, ports({ forgetDeliveries: async () => 3 }));
  const nothing = await sweepRemoved(ports());
  expect([removed, nothing, await left(), await state.list('name/')]).toEqual([
    { entries: 1, folders: 3, setups: 1, deliveries: 3, busy: false },
    { entries: 0, folders: 0, setups: 0, busy: false },
    {
      tenants: ['4.7.0', '42.77.0'],
      folders: ['runs', 'checkouts', 'mirrors'].flatMap((kind) => [`${kind}/4.7.0`, `${kind}/42.77.0`]),
      setups: ['b', 'c'],
    },
    ['name/4.7', 'name/42.77'],
  ]);
});

test('an installation is removed with all of its repositories, also with one that has only a folder', async () => {
  await leave(shop, 'a');
  mkdirSync(at('mirrors', '42.8.0'));
  const ends: Removal = { installation: 42, repositories: 'all', isOver: true, reason: 'Uninstalled.' };
  await removeState(ends, ports());
  expect([await left(), (await state.get('gone/42')) === null]).toEqual([
    { tenants: [], folders: [], setups: [] },
    false,
  ]);
});

test('the next sweep finishes an interrupted removal', async () => {
  await leave(shop, 'a');
  const cut = { ...state, deleteTenant: () => Promise.reject(new Error('the process ended')) };
  await expect(removeState(removal, ports({ state: cut }))).rejects.toThrow('the process ended');
  const { store } = await openRepositoryState(state, shop);
  // Nothing of it can be found meanwhile.
  expect([await store.list('waiting/'), (await left()).tenants]).toEqual([[], ['42.7.0']]);
  await sweepRemoved(ports());
  expect(await left()).toEqual({ tenants: [], folders: [], setups: [] });
});

test('state of an active run is removed after the run, and newer state stays', async () => {
  const tenant = await leave(shop, 'a');
  const activeTenants = new Set([tenant]);
  const first = await removeState(removal, ports({ activeTenants: () => activeTenants }));
  await (await openRepositoryState(state, shop)).store.set('review/1', 'new');
  activeTenants.clear();
  const then = await sweepRemoved(ports({ activeTenants: () => activeTenants }));
  expect([first.busy, then.busy, then.entries, await left()]).toEqual([
    true,
    false,
    1,
    { tenants: ['42.7.1'], folders: [], setups: [] },
  ]);
});

test('state from before tenants is dropped once, and state with a tenant or without a repository stays', async () => {
  await leave(shop, 'a');
  const named = ['waiting/acme/shop/1/run_1', 'waiting/12/34/1/run_1', 'plan/guid', 'open/run_1'];
  for (const key of [...named, 'report/secret', 'body/digest']) await state.set(key, 'words');
  for (const folder of ['runs/attempt/run_1', 'mirrors/shop-0123.git'])
    mkdirSync(at(folder), { recursive: true });
  const dropped = [await dropUnowned(state, dataFolder), await dropUnowned(state, dataFolder)];
  expect([dropped, await state.list(''), readdirSync(at('runs')), readdirSync(at('mirrors'))]).toEqual([
    [4, null],
    ['body/digest', 'form/keys', 'name/42.7', 'report/secret', 'waiting/42.7.0/1/run_1'],
    ['42.7.0'],
    ['42.7.0'],
  ]);
});
