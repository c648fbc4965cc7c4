import { type StateRoot, type StateStore, tenantsOf } from '../contract/state-store.ts';

/**
 * Creates a store that ends with the process: for a run that stores nothing, or for all
 * repositories.
 */
export function createMemoryStateStore(repository: number | null = null): StateStore & StateRoot {
  const values = new Map<string, string>();
  const keysOf = (tenant: string) => [...values.keys()].filter((key) => key.split('/')[1] === tenant);
  return {
    repository,
    get: async (key) => values.get(key) ?? null,
    set: async (key, value) => void values.set(key, value),
    async claim(key, value) {
      if (values.has(key)) return false;
      values.set(key, value);
      return true;
    },
    delete: async (key) => void values.delete(key),
    list: async (prefix) => [...values.keys()].filter((key) => key.startsWith(prefix)).sort(),
    // No value gets old.
    deleteOld: async () => 0,
    tenants: async () => tenantsOf([...values.keys()]),
    async deleteTenant(tenant) {
      const keys = keysOf(tenant);
      for (const key of keys) values.delete(key);
      return keys.length;
    },
  };
}
