import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import path, { posix } from 'node:path';
import { isJsonObject, type Json, parseJson } from '../../contract/json.ts';
import { isInside } from '../../workspace/files/confine-path.ts';
import type { ConfinedFiles } from '../../workspace/files/confined-files.ts';
import { unlessToolError } from '../../workspace/files/unless-tool-error.ts';
import { type LanguageServerEntry, languageIdOf } from './server-entry.ts';

/** Locations of servers, decided once a run. */
export interface ServerLocations {
  readonly root: string;
  readonly files: Pick<ConfinedFiles, 'stat' | 'read'>;
  /** Folders of PATH, in order. */
  readonly programFolders: readonly string[];
  /** True if programs of the checkout may run, and servers that can run its code. */
  readonly checkout: boolean;
}

/** A server that is there. */
export interface FoundServer {
  readonly entry: LanguageServerEntry;
  /** The program, by its path, and its arguments. */
  readonly argv: readonly [program: string, ...args: string[]];
}

/**
 * Finds the program of a server: in the checkout, from the file's folder upwards, else on PATH.
 * Null if it is missing or may not run. Folders of PATH inside the checkout count as the checkout.
 */
export async function findServer(
  entry: LanguageServerEntry,
  from: string,
  locations: ServerLocations,
): Promise<FoundServer | null> {
  if (entry.runsCheckout && !locations.checkout) return null;
  const [program, ...args] = entry.command;
  const own = locations.checkout ? await inCheckout(entry, program, from, locations) : null;
  const executable = own ?? onPath(entry, program, locations);
  return executable === null ? null : { entry, argv: [executable, ...args] };
}

/** The first of several that is there, for a file. */
export async function findServerFor(
  file: string,
  entries: readonly LanguageServerEntry[],
  locations: ServerLocations,
): Promise<FoundServer | null> {
  for (const entry of entries) {
    if (languageIdOf(file, entry) === null) continue;
    const found = await findServer(entry, folderOf(file), locations);
    if (found !== null) return found;
  }
  return null;
}

/** The root folder of a server: the topmost above a file with a marker, else `''`. */
export async function rootFor(
  file: string,
  { markers }: LanguageServerEntry,
  { files }: Pick<ServerLocations, 'files'>,
): Promise<string> {
  for (const folder of downwards(folderOf(file)))
    for (const marker of markers)
      if ((await unlessToolError(() => files.stat(posix.join(folder, marker)))) !== null) return folder;
  return '';
}

/** The same files, of which each is looked at once: files of a project lie in the same folders. */
export function statOnce(files: ServerLocations['files']): ServerLocations['files'] {
  const known = new Map<string, ReturnType<ConfinedFiles['stat']>>();
  return {
    read: (path, most) => files.read(path, most),
    stat(path) {
      const stats = known.get(path) ?? files.stat(path);
      known.set(path, stats);
      return stats;
    },
  };
}

function folderOf(file: string): string {
  const folder = posix.dirname(file);
  return folder === '.' ? '' : folder;
}

/** All folders from the root to one. */
function downwards(folder: string): string[] {
  const parts = folder === '' ? [] : folder.split('/');
  return ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
}

async function inCheckout(
  { inCheckout: place, npm, since }: LanguageServerEntry,
  program: string,
  from: string,
  { root, files }: ServerLocations,
): Promise<string | null> {
  const relative = program.includes('/') && !program.startsWith('/') ? program : place;
  if (relative === undefined) return null;
  for (const folder of downwards(from).toReversed()) {
    const file = posix.join(folder, relative);
    if ((await unlessToolError(() => files.stat(file))) === null) continue;
    const manifest = posix.join(folder, 'node_modules', npm ?? '', 'package.json');
    if (since !== undefined) {
      const text = await unlessToolError(async () =>
        (await files.read(manifest, 256 * 1024)).bytes.toString(),
      );
      if (majorOf(text) < since) continue;
    }
    return posix.join(root, file);
  }
  return null;
}

function onPath(entry: LanguageServerEntry, program: string, locations: ServerLocations): string | null {
  const { root, programFolders } = locations;
  const named = program.includes('/') ? [] : programFolders;
  const folders = program.startsWith('/') ? ['/'] : named;
  for (const folder of folders) {
    const file = path.join(folder, program);
    if (!isExecutable(file)) continue;
    const real = realpathSync(file);
    if (isInside(root, real) || isInside(root, folder)) continue;
    const { npm, since } = entry;
    if (npm !== undefined && since !== undefined && majorOf(manifestAbove(real, npm)) < since) continue;
    return file;
  }
  return null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The package.json of the npm package that a program is of; null where that is another or none. */
function manifestAbove(file: string, name: string): string | null {
  for (let folder = path.dirname(file), depth = 0; depth < 4; folder = path.dirname(folder), depth += 1) {
    try {
      const text = readFileSync(path.join(folder, 'package.json'), 'utf8');
      const manifest = parseJson(text) as Json | undefined;
      return isJsonObject(manifest) && manifest.name === name ? text : null;
    } catch {
      // Not this one.
    }
  }
  return null;
}

function majorOf(manifest: string | null): number {
  const read = manifest === null ? undefined : (parseJson(manifest) as Json | undefined);
  const version = isJsonObject(read) && typeof read.version === 'string' ? read.version : '';
  return Number(/^\d{1,6}/.exec(version)?.[0] ?? 0);
}

/** True if a `package.json` depends on the package of a server, in a version that has one. */
export function declaresPackage(manifest: string, { npm, since = 0 }: LanguageServerEntry): boolean {
  const read = parseJson(manifest) as Json | undefined;
  if (!isJsonObject(read) || npm === undefined) return false;
  return ['dependencies', 'devDependencies', 'optionalDependencies'].some((key) => {
    const list = read[key];
    const range = isJsonObject(list) && Object.hasOwn(list, npm) ? list[npm] : undefined;
    return typeof range === 'string' && Number(/\d{1,6}/.exec(range)?.[0] ?? since) >= since;
  });
}

/** The server of a file and its root folder; `key` is the same for files that share both. */
export interface LocatedServer {
  readonly found: FoundServer;
  readonly root: string;
  readonly key: string;
}

/** Null where a file has no server. */
export async function lookUpServer(
  file: string,
  entries: readonly LanguageServerEntry[],
  locations: ServerLocations,
): Promise<LocatedServer | null> {
  const found = await findServerFor(file, entries, locations);
  if (found === null) return null;
  const root = await rootFor(file, found.entry, locations);
  return { found, root, key: `${found.entry.name}\0${root}` };
}

/** Returns the keys of files, in their order. Files without a server have one for each ending. */
export async function serverKeys(
  files: readonly string[],
  entries: readonly LanguageServerEntry[],
  locations: ServerLocations,
): Promise<readonly string[]> {
  const looking = { ...locations, files: statOnce(locations.files) };
  const known = new Map<string, LocatedServer | null>();
  const keys: string[] = [];
  for (const file of files) {
    const readers = entries.filter((entry) => languageIdOf(file, entry) !== null).map(({ name }) => name);
    const kind = JSON.stringify([posix.dirname(file), ...readers]);
    if (!known.has(kind)) known.set(kind, await lookUpServer(file, entries, looking));
    keys.push(known.get(kind)?.key ?? `\0${posix.extname(file)}`);
  }
  return keys;
}
