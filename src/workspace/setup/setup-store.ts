import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { SetupOutput } from '../../sandbox/setup-layout.ts';
import { errorCode } from '../files/open-confined.ts';
import { removeTree } from '../files/remove-tree.ts';

/** Stored set-up results of this machine, each in a folder named by its key. */
export interface SetupStore {
  /** Returns the result of a key, pinned until `release`; null without one. */
  take(key: string): Promise<SetupOutput | null>;
  /** Creates a folder for a new result on the same file system. */
  workFolder(): Promise<string>;
  /**
   * Moves folders into the store under a key and takes the result. If another run was faster, its
   * result counts. Makes space by deleting unused results: untrusted first, then least recently
   * used.
   */
  store(
    key: string,
    made: SetupOutput & { readonly bytes: number; readonly trusted: boolean; readonly repository: string },
  ): Promise<SetupOutput>;
  /** Deletes work folders. Never rejects. */
  clearWork(): Promise<void>;
  /** Releases all taken results and deletes work folders. Never rejects. */
  release(): Promise<void>;
}

/**
 * Opens the store in `folder`, which only we use and which is made if missing. `most` bounds all
 * results together, in bytes. Leftovers of ended processes do not block anything.
 */
export function openSetupStore(folder: string, most: number): SetupStore {
  const mine = processMark(process.pid);
  const uses: string[] = [];
  const works: string[] = [];

  const remove = async (paths: readonly string[]) => {
    for (const path of paths) await removeTree(path).catch(() => undefined);
  };
  const store: SetupStore = {
    async take(key) {
      if (!existsSync(join(folder, key, 'manifest.json'))) return null;
      // Marked before the read: a result in use is never deleted.
      const use = join(folder, `use-${key}-${mine}-${randomBytes(4).toString('hex')}`);
      await writeFile(use, '');
      uses.push(use);
      const manifest = await readManifest(folder, key);
      if (manifest === null) return null;
      const now = new Date();
      await utimes(join(folder, key, 'manifest.json'), now, now);
      return outputOf(join(folder, key), manifest);
    },
    async workFolder() {
      await mkdir(folder, { recursive: true, mode: 0o711 });
      await chmod(folder, 0o711);
      await removeAbandoned(folder);
      const work = join(folder, `work-${mine}-${randomBytes(6).toString('hex')}`);
      await mkdir(work);
      // Independent of the umask: commands may run as another user, who must pass through.
      await chmod(work, 0o711);
      works.push(work);
      return work;
    },
    async store(key, { builtAt, folders, bytes, trusted, repository }) {
      const work = await store.workFolder();
      await mkdir(join(work, 'out'));
      await chmod(join(work, 'out'), 0o711);
      for (const [index, one] of folders.entries())
        await rename(one.folder, join(work, 'out', String(index)));
      const places = folders.map(({ mountPath }) => mountPath);
      const manifest: Manifest = { version: 1, builtAt, places, bytes, trusted, repository };
      await writeFile(join(work, 'manifest.json'), JSON.stringify(manifest));
      await freeSpace(folder, most - bytes);
      try {
        await rename(work, join(folder, key));
      } catch (error) {
        if (errorCode(error) !== 'ENOTEMPTY') throw error;
      }
      const stored = await store.take(key);
      if (stored === null) throw new Error(`The result of the set-up was not stored in ${folder}.`);
      return stored;
    },
    clearWork: () => remove(works),
    release: () => remove([...works, ...uses]),
  };
  return store;
}

/** Returns the output stored in `folder`. */
function outputOf(folder: string, { builtAt, places }: Manifest): SetupOutput {
  const folders = places.map((mountPath, index) => ({
    mountPath,
    folder: join(folder, 'out', String(index)),
  }));
  return { builtAt, folders };
}

/** Deletes results until the rest is at most `most` bytes; those in use stay. */
async function freeSpace(folder: string, most: number): Promise<void> {
  const names = await readdir(folder);
  const used = new Set(names.filter((name) => name.startsWith('use-')).map((name) => name.split('-')[1]));
  const entries: { key: string; bytes: number; trusted: boolean; usedAt: number }[] = [];
  for (const key of names.filter((name) => keyForm.test(name))) {
    const manifest = await readManifest(folder, key);
    const usedAt = manifest === null ? 0 : (await stat(join(folder, key, 'manifest.json'))).mtimeMs;
    entries.push({ key, bytes: manifest?.bytes ?? 0, trusted: manifest?.trusted ?? false, usedAt });
  }
  let total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  entries.sort((a, b) => Number(a.trusted) - Number(b.trusted) || a.usedAt - b.usedAt);
  for (const { key, bytes } of entries) {
    if (total <= most) return;
    if (used.has(key)) continue;
    if (await removeResult(folder, key)) total -= bytes;
  }
}

/** Manifest of a stored result. */
const Manifest = z.object({
  version: z.literal(1),
  builtAt: z.string(),
  places: z.array(z.string()),
  bytes: z.number(),
  trusted: z.boolean(),
  /** Repository, as in `SetupRequest`. */
  repository: z.string().default(''),
});
type Manifest = z.infer<typeof Manifest>;

/** Names of stored results. */
export const keyForm = /^[0-9a-f]{40}$/;

/** Reads the manifest of a result; null if missing or incomplete. */
export async function readManifest(folder: string, key: string): Promise<Manifest | null> {
  try {
    const text = await readFile(join(folder, key, 'manifest.json'), 'utf8');
    return Manifest.parse(JSON.parse(text));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof z.ZodError || error instanceof SyntaxError)
      return null;
    throw error;
  }
}

/** Deletes a result; false if it is gone or in use. */
export async function removeResult(folder: string, key: string): Promise<boolean> {
  // Renamed first, so that no one takes half of it.
  const gone = join(folder, `work-${processMark(process.pid)}-${key}`);
  try {
    await rename(join(folder, key), gone);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
  // Another process may have taken it in the meantime.
  if ((await readdir(folder)).some((name) => name.startsWith(`use-${key}-`))) {
    await rename(gone, join(folder, key));
    return false;
  }
  await removeTree(gone).catch(() => undefined);
  return true;
}

/** Deletes leftovers of ended processes. */
export async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const by = /^(?:work|use-[0-9a-f]{40})-(\d+(?:\.\d+)?)-/.exec(name)?.[1];
    // A failed deletion must not block other set-ups.
    if (by !== undefined && by !== processMark(by.split('.')[0] ?? ''))
      await removeTree(join(folder, name)).catch(() => undefined);
  }
}

/**
 * Identifies a process by number and start time; null if it does not exist. A restarted container
 * reuses the number of its first process (proc_pid_stat(5), field 22; the name in parentheses may
 * hold anything).
 */
export function processMark(pid: number | string): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return `${pid}.${stat.slice(stat.lastIndexOf(')')).split(' ')[20]}`;
  } catch {
    return null;
  }
}

/**
 * Deletes stored set-up results of repositories for which `isOver` is true; returns the number. A
 * result in use stays until the next call.
 */
export async function removeSetups(
  folder: string,
  isOver: (repository: string) => Promise<boolean>,
): Promise<number> {
  const keys = (await readdir(folder).catch(() => [])).filter((name) => keyForm.test(name));
  if (keys.length > 0) await removeAbandoned(folder);
  let removed = 0;
  for (const key of keys) {
    const manifest = await readManifest(folder, key);
    if (manifest === null || !(await isOver(manifest.repository))) continue;
    if (await removeResult(folder, key)) removed += 1;
  }
  return removed;
}
