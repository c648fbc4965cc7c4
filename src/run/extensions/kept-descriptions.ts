import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { DescriptionCache } from '../../extensions/toolbox/describe-programs.ts';

/** What programs printed, by digest, the newest last. */
const Descriptions = z.record(z.string(), z.string());

/** So many are kept of one repository, and of each so many characters: more is asked for again. */
const key = 'toolbox';
const mostKept = 200;
const longestKept = 16 * 1024;

/**
 * What programs printed to describe themselves, as one value of the store for all of them. Without a store every program is asked
 * in each run; where `writes` is false, nothing is added.
 */
export function keptDescriptions(kept: StateStore | null, writes: boolean): DescriptionCache {
  let known: Promise<Map<string, string>> | null = null;
  const all = () => {
    known ??= read();
    return known;
  };
  const read = async () => {
    const text = await kept?.get(key);
    return new Map(Object.entries(Descriptions.safeParse(parseJson(text ?? '')).data ?? {}));
  };
  return {
    get: async (digest) => (await all()).get(digest) ?? null,
    async add(printed) {
      const descriptions = await all();
      for (const [digest, text] of printed) if (text.length <= longestKept) descriptions.set(digest, text);
      if (kept === null || !writes || printed.size === 0) return;
      const newest = [...descriptions].slice(-mostKept);
      await kept.set(key, JSON.stringify(Object.fromEntries(newest)));
    },
  };
}
