/** Lifetime of a stored answer: a model requests a page again because it forgot it. */
const lifetimeMs = 15 * 60 * 1_000;
const mostEntries = 100;
const mostBytes = 32 * 1024 ** 2;

/** Stored answers of one run. */
export interface WebCache<Value> {
  /**
   * Returns the stored value of `key`, or the result of `ask`. That is stored if `size` gives its
   * bytes rather than null.
   */
  get(key: string, ask: () => Promise<Value>, size: (value: Value) => number | null): Promise<Value>;
}

/**
 * Creates a cache for 15 minutes, 100 entries and 32 MiB; the oldest go first. `now` is in
 * milliseconds.
 */
export function createWebCache<Value>(now: () => number): WebCache<Value> {
  const entries = new Map<
    string,
    { readonly value: Value; readonly bytes: number; readonly until: number }
  >();
  let total = 0;
  const drop = (key: string) => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    async get(key, ask, size) {
      const stored = entries.get(key);
      if (stored !== undefined && now() < stored.until) return stored.value;
      drop(key);
      const value = await ask();
      const bytes = size(value);
      if (bytes === null || bytes > mostBytes) return value;
      drop(key);
      entries.set(key, { value, bytes, until: now() + lifetimeMs });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (entries.size <= mostEntries && total <= mostBytes) break;
        drop(oldest);
      }
      return value;
    },
  };
}
