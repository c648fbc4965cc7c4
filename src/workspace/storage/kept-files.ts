import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { storageLimits } from './storage-limits.ts';

/** What one run left: its files by path, null for those it emptied. A record of zod's would lose one named `__proto__`. */
const KeptChange = z.strictObject({
  v: z.literal(1),
  files: z.custom<Record<string, string | null>>(
    (files) =>
      typeof files === 'object' &&
      files !== null &&
      Object.values(files).every((text) => text === null || typeof text === 'string'),
  ),
});

/** A listing that changes while it is read is read again, but not for ever. */
const mostReadings = 5;

/** So many changes are laid one over the other when read; beyond it they are written as one. */
const mostChanges = 16;

const kept = 'persist/';

/** Files that runs on one repository hand on to later ones. */
export interface KeptFiles {
  /** Path to text. What is over the limits is left out, the longest untouched first. */
  load(): Promise<Map<string, string>>;
  /** Adds what a run changed, in one write: all of it is seen, or none. */
  promote(runId: string, files: ReadonlyMap<string, string | null>): Promise<void>;
}

/**
 * The files kept for a repository. Each run's change is a value of its own, under a key that sorts
 * by time: two that end at once cannot lose each other's files, and of one file the later text counts.
 */
export function createKeptFiles(options: {
  readonly store: StateStore;
  readonly now: () => Date;
}): KeptFiles {
  const { store } = options;

  /** Later keys win; the order of the result is that of the last change. */
  async function merged(keys: readonly string[]): Promise<Map<string, string>> {
    const files = new Map<string, string>();
    for (const key of keys) {
      const change = KeptChange.safeParse(parseJson((await store.get(key)) ?? 'null'));
      for (const [path, text] of Object.entries(change.data?.files ?? {})) {
        files.delete(path);
        if (text === null) continue;
        // Of two runs at once, one may have made a file where the other made a folder.
        for (const other of files.keys()) {
          if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) files.delete(other);
        }
        files.set(path, text);
      }
    }
    return files;
  }

  /** What there is while nobody else puts several changes together. */
  async function current(): Promise<{ keys: readonly string[]; files: Map<string, string> }> {
    let keys = await store.list(kept);
    for (let reading = 1; ; reading += 1) {
      const files = await merged(keys);
      const again = await store.list(kept);
      if (reading === mostReadings || again.join('\n') === keys.join('\n')) return { keys, files };
      keys = again;
    }
  }

  return {
    load: async () => withinLimits((await current()).files),
    async promote(runId, files) {
      const stamp = String(options.now().getTime()).padStart(15, '0');
      await store.set(`${kept}${stamp}-${runId}`, serialised(files));
      const { keys, files: all } = await current();
      const last = keys.at(-1);
      if (keys.length < mostChanges || last === undefined) return;
      // Sorts behind what it replaces and before whatever follows; until that is deleted, both say the same.
      await store.set(`${last}~`, serialised(withinLimits(all)));
      for (const key of keys) await store.delete(key);
    },
  };
}

function serialised(files: ReadonlyMap<string, string | null>): string {
  return JSON.stringify({ v: 1, files: Object.fromEntries(files) });
}

/** Runs that end at once may together bring more than one alone was allowed. */
function withinLimits(files: ReadonlyMap<string, string>): Map<string, string> {
  let bytes = 0;
  const newest = [...files].reverse().filter(([, text], index) => {
    bytes += Buffer.byteLength(text);
    return index < storageLimits.keptFiles && bytes <= storageLimits.keptBytes;
  });
  return new Map(newest.reverse());
}
