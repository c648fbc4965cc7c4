import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../contract/json.ts';
import { readTenant, type StateRoot } from '../contract/state-store.ts';
import { isSigned, signValue } from './sign-value.ts';

/** A file of the store: the value and, with a secret, its signature. */
const StoredValue = z.strictObject({ v: z.literal(1), value: z.string(), signature: z.string().nullable() });

interface FileStateStoreOptions {
  /** Absolute path; created on the first write, for its user alone. */
  readonly folder: string;
  /**
   * Signs every value, for a folder that others can write to on its way, such as an artifact. A
   * value whose signature does not hold counts as absent. Null trusts the folder.
   */
  readonly secret: string | null;
  /** Receives a sentence about each rejected value. */
  readonly onRejected: (message: string) => void;
}

const suffix = '.json';

/**
 * Creates a store in a folder, one file per key. Writes are synced and renamed, so a crash leaves
 * the old or the new value.
 */
export function createFileStateStore(options: FileStateStoreOptions): StateRoot {
  const { folder, secret, onRejected } = options;
  const fileOf = (key: string): string => join(folder, ...key.split('/').map(encodeSegment)) + suffix;

  const get = async (key: string): Promise<string | null> => {
    const text = await readIfThere(fileOf(key));
    if (text === null) return null;
    const stored = StoredValue.safeParse(parseJson(text));
    if (!stored.success) {
      onRejected(`The state at ${key} is not in our format; it is taken as absent.`);
      return null;
    }
    const { value, signature } = stored.data;
    if (secret !== null && (signature === null || !isSigned(secret, key, value, signature))) {
      onRejected(`The state at ${key} is not signed with our secret; it is taken as absent.`);
      return null;
    }
    return value;
  };

  /** Writes the signed value to a temporary file and passes it to `commit`. */
  const writeWith = async <T>(key: string, value: string, commit: Commit<T>): Promise<T> => {
    const signature = secret === null ? null : signValue(secret, key, value);
    return writeTemporary(fileOf(key), JSON.stringify({ v: 1, value, signature }), commit);
  };

  const set = (key: string, value: string): Promise<void> => writeWith(key, value, rename);

  return {
    get,
    set,
    async claim(key, value) {
      const made = await writeWith(key, value, linkIfFree);
      if (made || (await get(key)) !== null) return made;
      // A rejected value must not block the key.
      await set(key, value);
      return true;
    },
    async delete(key) {
      await rm(fileOf(key), { force: true });
    },
    list: (prefix) => listKeys(folder, prefix),
    async deleteOld(prefix, before) {
      let deleted = 0;
      for (const key of await listKeys(folder, prefix)) {
        const written = await stat(fileOf(key)).catch(absent(null));
        if (written === null || written.mtime >= before) continue;
        await rm(fileOf(key), { force: true });
        deleted += 1;
      }
      return deleted;
    },
    async tenants() {
      const names = (await belowKinds(folder))
        .map(({ name }) => name)
        .filter((name) => readTenant(name) !== null);
      return [...new Set(names)].sort();
    },
    async deleteTenant(tenant) {
      const keys = (await listKeys(folder, '')).filter((key) => key.split('/')[1] === tenant);
      for (const { name, path } of await belowKinds(folder))
        if (name === tenant) await rm(path, { recursive: true, force: true });
      return keys.length;
    },
  };
}

/** Lists the keys with a prefix, sorted. */
async function listKeys(folder: string, prefix: string): Promise<string[]> {
  // Only the matching folder: a user's store contains every run of every checkout.
  const parts = prefix.split('/').slice(0, -1);
  // No key has an empty part.
  if (parts.includes('')) return [];
  const parent = join(folder, ...parts.map(encodeSegment));
  const entries = await readdir(parent, { recursive: true, withFileTypes: true }).catch(absent([]));
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(suffix) && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1, -suffix.length))
    .map((path) => path.split('/').map(decodeURIComponent).join('/'))
    .filter((key) => key.startsWith(prefix))
    .sort();
}

/** Lists the files and folders directly below the kinds, by name without suffix. */
async function belowKinds(folder: string): Promise<{ readonly name: string; readonly path: string }[]> {
  const kinds = await readdir(folder, { withFileTypes: true }).catch(absent([]));
  const found = kinds
    .filter((kind) => kind.isDirectory())
    .map(async (kind) => {
      const names = await readdir(join(folder, kind.name)).catch(absent([]));
      return names.map((name) => ({
        name: name.endsWith(suffix) ? name.slice(0, -suffix.length) : name,
        path: join(folder, kind.name, name),
      }));
    });
  return (await Promise.all(found)).flat();
}

/** Encodes a key's part as a file name that cannot form a path or hidden file. */
function encodeSegment(segment: string): string {
  const encoded = encodeURIComponent(segment);
  if (encoded === '') throw new Error('A state key has an empty part.');
  return encoded.replace(/^\./, '%2E');
}

async function linkIfFree(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(from, { force: true });
  }
}

type Commit<T> = (from: string, to: string) => Promise<T>;

/** Writes a synced file beside `target` and passes both to `commit`; removes it on an error. */
async function writeTemporary<T>(target: string, text: string, commit: Commit<T>): Promise<T> {
  const temporary = join(dirname(target), `.${randomUUID()}.tmp`);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  try {
    await writeSynced(temporary, text);
    return await commit(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function readIfThere(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(absent(null));
}

function absent<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (isCode(error, 'ENOENT')) return value;
    throw error;
  };
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
