import { readdir } from 'node:fs/promises';
import path from 'node:path';
import {
  identityName,
  identityOfKey,
  type RepositoryIdentity,
  readTenant,
  type StateRoot,
  sharedKeys,
  tenantName,
} from '../../contract/state-store.ts';
import { generationOf, isGone } from '../../state/repository-state.ts';
import { isMeant, type Removal } from '../../webhooks/triggers/find-removal.ts';
import { removeTree } from '../../workspace/files/remove-tree.ts';
import { removeSetups } from '../../workspace/setup/setup-store.ts';

/** What removing needs from the root. */
export interface RemovePorts {
  readonly state: StateRoot;
  /** The data folder of the App. */
  readonly dataFolder: string;
  /** Tenants whose runs still work here: these are removed once they are through. Left out, there are none. */
  readonly inHand?: () => ReadonlySet<string>;
  /** Called when the state is over and nothing is deleted yet. */
  readonly onEnded?: () => Promise<void>;
  /** Forgets deliveries of these repositories, waiting ones as well; how many. Left out, there is no queue. */
  readonly forgetDeliveries?: (removal: Removal) => Promise<number>;
}

/** How much was removed. */
export interface Removed extends Swept {
  readonly deliveries: number;
}

/** How much was deleted, and whether something waits for runs that still work on it. */
export interface Swept {
  readonly busy: boolean;
  readonly entries: number;
  readonly folders: number;
  readonly setups: number;
}

/** The folders of the data folder that hold one folder a tenant. */
export const tenantFolders = ['runs', 'checkouts', 'mirrors'] as const;
/** The one that holds results of set-ups, each with its repository. */
export const setupFolder = 'set-up';

/**
 * Removes the state of repositories. From the first write on nothing of it is found any more, and nothing that still runs keeps
 * anything; what is cut short there is done by the next `sweepRemoved`.
 */
export async function removeState(removal: Removal, ports: RemovePorts): Promise<Removed> {
  const { state } = ports;
  const { installation, isOver: ends } = removal;
  if (ends && installation !== null) await state.set(sharedKeys.gone(installation), new Date().toISOString());
  for (const identity of await meantRepositories(removal, ports)) {
    const next = (await generationOf(state, identity)) + 1;
    await state.set(sharedKeys.generation(identity), String(next));
    await state.delete(sharedKeys.name(identity));
  }
  await ports.onEnded?.();
  const deliveries = (await ports.forgetDeliveries?.(removal)) ?? 0;
  return { ...(await sweepRemoved(ports)), deliveries };
}

/** Those that something is kept of, and those that the removal names by itself. */
async function meantRepositories(removal: Removal, ports: RemovePorts): Promise<RepositoryIdentity[]> {
  const { installation, repositories } = removal;
  const named =
    repositories === 'all' || installation === null
      ? []
      : repositories.map((repository) => ({ installation, repository }));
  const known = (await knownRepositories(ports)).filter((identity) => isMeant(removal, identity));
  const all = [...named, ...known].map((identity) => [identityName(identity), identity] as const);
  return [...new Map(all).values()];
}

/** All repositories that something is kept of. */
export async function knownRepositories(
  ports: Pick<RemovePorts, 'state' | 'dataFolder'>,
): Promise<RepositoryIdentity[]> {
  const names = (await ports.state.list(sharedKeys.names)).flatMap((key) => identityOfKey(key) ?? []);
  const tenants = (await keptTenants(ports)).flatMap((name) => readTenant(name) ?? []);
  return [...names, ...tenants].map(({ installation, repository }) => ({ installation, repository }));
}

/** Deletes what is left of removed state; safe at any time, and as often as one likes. */
export async function sweepRemoved(ports: RemovePorts): Promise<Swept> {
  const { state, dataFolder, inHand = () => new Set() } = ports;
  let [entries, folders] = [0, 0];
  const working = inHand();
  let busy = false;
  for (const name of await keptTenants(ports)) {
    if (!(await isOver(state, name))) continue;
    if (working.has(name)) {
      busy = true;
      continue;
    }
    entries += await state.deleteTenant(name);
    for (const kind of tenantFolders) {
      const folder = path.join(dataFolder, kind, name);
      if (!(await namesIn(path.dirname(folder))).includes(name)) continue;
      await removeTree(folder);
      folders += 1;
    }
  }
  const setups = await removeSetups(
    path.join(dataFolder, setupFolder),
    async (owner) => !working.has(owner) && (await isOver(state, owner)),
  );
  return { entries, folders, setups, busy };
}

/** Whether a tenant's state was removed; false for a name that is no tenant's. */
async function isOver(state: StateRoot, name: string): Promise<boolean> {
  const tenant = readTenant(name);
  if (tenant === null) return false;
  return (await generationOf(state, tenant)) !== tenant.generation || (await isGone(state, tenant));
}

/** The names of all tenants that have an entry or a folder. */
async function keptTenants({
  state,
  dataFolder,
}: Pick<RemovePorts, 'state' | 'dataFolder'>): Promise<string[]> {
  const folders = await Promise.all(tenantFolders.map((kind) => namesIn(path.join(dataFolder, kind))));
  const names = folders.flat().filter((name) => {
    const tenant = readTenant(name);
    return tenant !== null && tenantName(tenant) === name;
  });
  return [...new Set([...(await state.tenants()), ...names])].sort();
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
