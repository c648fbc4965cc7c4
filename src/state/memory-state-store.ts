import type { StateStore } from '../contract/session.ts';

/** State that ends with the process, for a run that keeps nothing. */
export function createMemoryStateStore(): StateStore {
  const values = new Map<string, string>();
  return {
    get: async (key) => values.get(key) ?? null,
    set: async (key, value) => void values.set(key, value),
    async claim(key, value) {
      if (values.has(key)) return false;
      values.set(key, value);
      return true;
    },
    delete: async (key) => void values.delete(key),
    list: async (prefix) => [...values.keys()].filter((key) => key.startsWith(prefix)).sort(),
    // It ends with the process, which is never old.
    deleteOld: async () => 0,
  };
}
