import { RunStopped } from '../contract/errors.ts';
import {
  keyOfTenant,
  keyWithinTenant,
  type RepositoryIdentity,
  type StateRoot,
  type StateStore,
  sharedKeys,
  type Tenant,
  tenantName,
} from '../contract/state-store.ts';

/** State of one repository when it was opened. */
interface RepositoryState {
  /** Name in keys and folders. */
  readonly tenant: string;
  readonly identity: RepositoryIdentity;
  /** Throws `RunStopped` on a write once the state was removed. */
  readonly store: StateStore;
  /** True once the state was removed; nothing of it may be read or stored. */
  isOver(): Promise<boolean>;
}

/** Opens the current state of a repository. */
export async function openRepositoryState(
  root: StateRoot,
  identity: RepositoryIdentity,
): Promise<RepositoryState> {
  return repositoryState(root, { ...identity, generation: await generationOf(root, identity) });
}

/** Returns the state of a tenant, which may be removed. */
export function repositoryState(root: StateRoot, tenant: Tenant): RepositoryState {
  const name = tenantName(tenant);
  const isOver = async () => (await generationOf(root, tenant)) !== tenant.generation;
  const check = async () => {
    if (await isOver()) throw new RunStopped({ kind: 'cancelled', message: removedMessage });
  };
  const store = tenantStore(root, name, tenant.repository);
  return {
    tenant: name,
    identity: { installation: tenant.installation, repository: tenant.repository },
    store: {
      ...store,
      async set(key, value) {
        await check();
        await store.set(key, value);
      },
      async claim(key, value) {
        await check();
        return store.claim(key, value);
      },
    },
    isOver,
  };
}

/** Error for a run that would store something of a repository whose state was removed. */
const removedMessage = 'What Anode CI keeps of this repository was removed while this ran.';

/** Returns a store with the keys of one tenant. */
export function tenantStore(root: StateRoot, tenant: string, repository: number | null): StateStore {
  const at = (key: string): string => keyOfTenant(tenant, key);
  return {
    repository,
    get: (key) => root.get(at(key)),
    set: (key, value) => root.set(at(key), value),
    claim: (key, value) => root.claim(at(key), value),
    delete: (key) => root.delete(at(key)),
    list: async (prefix) => (await root.list(at(prefix))).map((key) => keyWithinTenant(tenant, key)),
  };
}

/** Returns the number of times the state of a repository was removed. */
export async function generationOf(root: StateRoot, identity: RepositoryIdentity): Promise<number> {
  const text = await root.get(sharedKeys.generation(identity));
  const number = Number(text ?? 0);
  if (!Number.isSafeInteger(number)) throw new Error(`The generation of a repository is no number: ${text}`);
  return number;
}

/** Returns true if the installation was deleted. */
export async function isGone(root: StateRoot, { installation }: RepositoryIdentity): Promise<boolean> {
  return installation !== null && (await root.get(sharedKeys.gone(installation))) !== null;
}
