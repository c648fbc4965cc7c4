import { readdir } from 'node:fs/promises';
import { keyForm, readManifest, removeAbandoned, takeAway } from './setup-entries.ts';

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
    if (await takeAway(folder, key)) removed += 1;
  }
  return removed;
}
