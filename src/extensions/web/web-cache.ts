/** What was answered is good for so long: a run reads the same page again because it forgot it, not because it changed. */
const keptMs = 15 * 60 * 1_000;
const mostEntries = 100;
const mostBytes = 32 * 1024 ** 2;

/** Answers of one run by what was asked. */
export interface WebCache<Value> {
  /** What is kept for `key`, or what `ask` gives, which is kept where `size` says how many bytes it is; null: not kept. */
  get(key: string, ask: () => Promise<Value>, size: (value: Value) => number | null): Promise<Value>;
}

/** A cache for 15 minutes, 100 entries and 32 MiB, the oldest of which go first. `now` is in milliseconds. */
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
      const kept = entries.get(key);
      if (kept !== undefined && now() < kept.until) return kept.value;
      drop(key);
      const value = await ask();
      const bytes = size(value);
      if (bytes === null || bytes > mostBytes) return value;
      drop(key);
      entries.set(key, { value, bytes, until: now() + keptMs });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (entries.size <= mostEntries && total <= mostBytes) break;
        drop(oldest);
      }
      return value;
    },
  };
}
