import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SetupOutput } from '../../sandbox/setup-layout.ts';
import { errorCode } from '../files/open-confined.ts';
import { removeTree } from '../files/remove-tree.ts';
import { keyForm, type Manifest, markOf, readManifest, removeAbandoned, takeAway } from './setup-entries.ts';

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
  keep(
    key: string,
    made: SetupOutput & { readonly bytes: number; readonly trusted: boolean; readonly repository: string },
  ): Promise<SetupOutput>;
  /** Deletes work folders. Never rejects. */
  clearWork(): Promise<void>;
  /** Releases all taken results and deletes work folders. Never rejects. */
  release(): Promise<void>;
}

/**
 * Opens the store in `folder`, which is ours alone and made if missing. `most` bounds all results
 * together, in bytes. Leftovers of ended processes do not block anything.
 */
export function openSetupStore(folder: string, most: number): SetupStore {
  const mine = markOf(process.pid);
  const uses: string[] = [];
  const works: string[] = [];

  const entryOf = (key: string, { builtAt, places }: Manifest): SetupOutput => ({
    builtAt,
    folders: places.map((place, index) => ({ place, folder: join(folder, key, 'out', String(index)) })),
  });
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
      return entryOf(key, manifest);
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
    async keep(key, { builtAt, folders, bytes, trusted, repository }) {
      const work = await store.workFolder();
      await mkdir(join(work, 'out'));
      await chmod(join(work, 'out'), 0o711);
      for (const [index, one] of folders.entries())
        await rename(one.folder, join(work, 'out', String(index)));
      const places = folders.map(({ place }) => place);
      const manifest: Manifest = { version: 1, builtAt, places, bytes, trusted, repository };
      await writeFile(join(work, 'manifest.json'), JSON.stringify(manifest));
      await makeRoom(folder, most - bytes);
      try {
        await rename(work, join(folder, key));
      } catch (error) {
        if (errorCode(error) !== 'ENOTEMPTY') throw error;
      }
      const kept = await store.take(key);
      if (kept === null) throw new Error(`The result of the set-up was not kept in ${folder}.`);
      return kept;
    },
    clearWork: () => remove(works),
    release: () => remove([...works, ...uses]),
  };
  return store;
}

/** Deletes results until the rest is at most `most` bytes; those in use stay. */
async function makeRoom(folder: string, most: number): Promise<void> {
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
    if (await takeAway(folder, key)) total -= bytes;
  }
}
