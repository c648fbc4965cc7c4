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
import { isRemoved, type Removal } from '../../webhooks/triggers/find-removal.ts';
import { removeTree } from '../../workspace/files/remove-tree.ts';
import { removeSetups } from '../../workspace/setup/setup-store.ts';

/** The App's services for removing state. */
export interface RemovalContext {
  readonly state: StateRoot;
  /** Data folder of the App. */
  readonly dataFolder: string;
  /** Tenants with active runs, which are removed after these. Default: none. */
  readonly activeTenants?: () => ReadonlySet<string>;
  /** Called when the state has ended and nothing is deleted yet. */
  readonly onEnded?: () => Promise<void>;
  /**
   * Forgets deliveries of these repositories and returns their number. Default: there is no queue.
   */
  readonly forgetDeliveries?: (removal: Removal) => Promise<number>;
}

/** Amounts of removed state. */
export interface Removed extends Swept {
  readonly deliveries: number;
}

/** Amounts of deleted state; `busy` if something waits for active runs. */
interface Swept {
  readonly busy: boolean;
  readonly entries: number;
  readonly folders: number;
  readonly setups: number;
}

/** Subfolders with one folder per tenant. */
export const tenantFolders = ['runs', 'checkouts', 'mirrors'] as const;
/** Subfolder with results of set-ups, each with its repository. */
export const setupFolder = 'set-up';

/**
 * Removes the state of repositories. After the first write nothing of it is found, and active runs
 * store nothing more. `sweepRemoved` completes an interrupted removal.
 */
export async function removeState(removal: Removal, ports: RemovalContext): Promise<Removed> {
  const { state } = ports;
  const { installation, isOver: ends } = removal;
  if (ends && installation !== null) await state.set(sharedKeys.gone(installation), new Date().toISOString());
  for (const identity of await removedRepositories(removal, ports)) {
    const next = (await generationOf(state, identity)) + 1;
    await state.set(sharedKeys.generation(identity), String(next));
    await state.delete(sharedKeys.name(identity));
  }
  await ports.onEnded?.();
  const deliveries = (await ports.forgetDeliveries?.(removal)) ?? 0;
  return { ...(await sweepRemoved(ports)), deliveries };
}

/** Returns the repositories of a removal: those that it names, and those with stored state. */
async function removedRepositories(removal: Removal, ports: RemovalContext): Promise<RepositoryIdentity[]> {
  const { installation, repositories } = removal;
  const named =
    repositories === 'all' || installation === null
      ? []
      : repositories.map((repository) => ({ installation, repository }));
  const known = (await storedRepositories(ports)).filter((identity) => isRemoved(removal, identity));
  const all = [...named, ...known].map((identity) => [identityName(identity), identity] as const);
  return [...new Map(all).values()];
}

/** Returns all repositories with stored state. */
export async function storedRepositories(
  ports: Pick<RemovalContext, 'state' | 'dataFolder'>,
): Promise<RepositoryIdentity[]> {
  const names = (await ports.state.list(sharedKeys.names)).flatMap((key) => identityOfKey(key) ?? []);
  const tenants = (await storedTenants(ports)).flatMap((name) => readTenant(name) ?? []);
  return [...names, ...tenants].map(({ installation, repository }) => ({ installation, repository }));
}

/** Deletes leftovers of removed state. Safe at any time, and repeatable. */
export async function sweepRemoved(ports: RemovalContext): Promise<Swept> {
  const { state, dataFolder, activeTenants = () => new Set() } = ports;
  let [entries, folders] = [0, 0];
  const working = activeTenants();
  let busy = false;
  for (const name of await storedTenants(ports)) {
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

/** Returns true if a tenant's state was removed; false for any other name. */
async function isOver(state: StateRoot, name: string): Promise<boolean> {
  const tenant = readTenant(name);
  if (tenant === null) return false;
  return (await generationOf(state, tenant)) !== tenant.generation || (await isGone(state, tenant));
}

/** Returns the names of all tenants with an entry or a folder. */
async function storedTenants({
  state,
  dataFolder,
}: Pick<RemovalContext, 'state' | 'dataFolder'>): Promise<string[]> {
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
