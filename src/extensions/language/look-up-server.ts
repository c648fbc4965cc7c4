import { posix } from 'node:path';
import { type FoundServer, findServerFor, rootFor, type ServerPlaces, statOnce } from './find-servers.ts';
import { type LanguageServerEntry, languageOf } from './server-entry.ts';

/** The server of a file and the folder that it works on, from the root; `key` is the same for files that share both. */
export interface LookedUp {
  readonly found: FoundServer;
  readonly root: string;
  readonly key: string;
}

/** Null where a file has no server. */
export async function lookUpServer(
  file: string,
  entries: readonly LanguageServerEntry[],
  places: ServerPlaces,
): Promise<LookedUp | null> {
  const found = await findServerFor(file, entries, places);
  if (found === null) return null;
  const root = await rootFor(file, found.entry, places);
  return { found, root, key: `${found.entry.name}\0${root}` };
}

/**
 * The keys of files, in their order, looked up once for each language and folder. Files without a server have one for each ending, as that there
 * is none is told where it is asked.
 */
export async function serverKeys(
  files: readonly string[],
  entries: readonly LanguageServerEntry[],
  places: ServerPlaces,
): Promise<readonly string[]> {
  const looking = { ...places, files: statOnce(places.files) };
  const known = new Map<string, LookedUp | null>();
  const keys: string[] = [];
  for (const file of files) {
    const readers = entries.filter((entry) => languageOf(file, entry) !== null).map(({ name }) => name);
    const kind = JSON.stringify([posix.dirname(file), ...readers]);
    if (!known.has(kind)) known.set(kind, await lookUpServer(file, entries, looking));
    keys.push(known.get(kind)?.key ?? `\0${posix.extname(file)}`);
  }
  return keys;
}
