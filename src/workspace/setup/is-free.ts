import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../files/open-confined.ts';

/** True if a path is missing or an empty folder, without a link on the way. */
export async function isFree(root: string, place: string): Promise<boolean> {
  let at = root;
  for (const part of place.split('/')) {
    at = join(at, part);
    const found = await lstat(at).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    });
    if (found === null) return true;
    if (!found.isDirectory()) return false;
  }
  return (await readdir(at)).length === 0;
}
