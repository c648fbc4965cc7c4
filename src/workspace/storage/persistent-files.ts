import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { storageLimits } from './storage-path.ts';

/**
 * Changes of one run: text by path, null for an emptied file. A zod record would drop a file named
 * `__proto__`.
 */
const StoredChange = z.strictObject({
  v: z.literal(1),
  files: z.custom<Record<string, string | null>>(
    (files) =>
      typeof files === 'object' &&
      files !== null &&
      Object.values(files).every((text) => text === null || typeof text === 'string'),
  ),
});

/** Attempts to read a listing that changes during the read. */
const mostReadings = 5;

/** Stored changes beyond which they are merged into one. */
const mostChanges = 16;

/** Files of a repository that persist from run to run. */
export interface PersistentFiles {
  /** Returns text by path. Over the limits, the least recently changed files are omitted. */
  load(): Promise<Map<string, string>>;
  /** Adds the changes of a run atomically, in one write. */
  promote(runId: string, files: ReadonlyMap<string, string | null>): Promise<void>;
}

/**
 * Stores files for a repository. Each run's change is a value of its own under a key that sorts by
 * time. So concurrent runs never lose files, and the later text of a file wins.
 */
export function createPersistentFiles(options: {
  readonly store: StateStore;
  readonly now: () => Date;
}): PersistentFiles {
  const { store } = options;

  /** Merges changes: later keys win. Files are in the order of their last change. */
  async function merged(keys: readonly string[]): Promise<Map<string, string>> {
    const files = new Map<string, string>();
    for (const key of keys) {
      const change = StoredChange.safeParse(parseJson((await store.get(key)) ?? 'null'));
      applyChange(files, change.data?.files ?? {});
    }
    return files;
  }

  /** Reads a consistent state, despite concurrent merges. */
  async function current(): Promise<{ keys: readonly string[]; files: Map<string, string> }> {
    let keys = await store.list(stateKeys.persistent(''));
    for (let reading = 1; ; reading += 1) {
      const files = await merged(keys);
      const again = await store.list(stateKeys.persistent(''));
      if (reading === mostReadings || again.join('\n') === keys.join('\n')) return { keys, files };
      keys = again;
    }
  }

  return {
    load: async () => withinLimits((await current()).files),
    async promote(runId, files) {
      const stamp = String(options.now().getTime()).padStart(15, '0');
      await store.set(stateKeys.persistent(`${stamp}-${runId}`), serialised(files));
      const { keys, files: all } = await current();
      const last = keys.at(-1);
      if (keys.length < mostChanges || last === undefined) return;
      // Sorts after the keys it replaces and before later ones. Until those are deleted, both say
      // the same.
      await store.set(`${last}~`, serialised(withinLimits(all)));
      for (const key of keys) await store.delete(key);
    },
  };
}

/** Applies the change of one run; a changed file becomes the last one. */
function applyChange(files: Map<string, string>, change: Readonly<Record<string, string | null>>): void {
  for (const [path, text] of Object.entries(change)) {
    files.delete(path);
    if (text === null) continue;
    // A concurrent run may have made a folder where another made a file.
    for (const other of files.keys())
      if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) files.delete(other);
    files.set(path, text);
  }
}

function serialised(files: ReadonlyMap<string, string | null>): string {
  return JSON.stringify({ v: 1, files: Object.fromEntries(files) });
}

/** Concurrent runs may together exceed the limits of one. */
function withinLimits(files: ReadonlyMap<string, string>): Map<string, string> {
  let bytes = 0;
  const newest = [...files].reverse().filter(([, text], index) => {
    bytes += Buffer.byteLength(text);
    return index < storageLimits.persistentFiles && bytes <= storageLimits.persistentBytes;
  });
  return new Map(newest.reverse());
}
