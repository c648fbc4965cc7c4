import { readdir } from 'node:fs/promises';
import { keyForm, readManifest, removeAbandoned, takeAway } from './setup-entries.ts';

/**
 * Deletes the results of set-ups that are kept for repositories of which `isOver` says so; how many. One that a run still uses
 * stays until the next time.
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
    if (await takeAway(folder, key)) removed += 1;
  }
  return removed;
}
