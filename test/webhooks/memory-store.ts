import type { StateStore } from '../../src/contract/state-store.ts';

/** A store in memory, to look into. */
export function memoryStore(): StateStore & { values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    repository: null,
    values,
    get: async (key) => values.get(key) ?? null,
    set: async (key, value) => void values.set(key, value),
    claim: async (key, value) => !values.has(key) && values.set(key, value) === values,
    delete: async (key) => void values.delete(key),
    list: async (prefix) => [...values.keys()].filter((key) => key.startsWith(prefix)).sort(),
  };
}
