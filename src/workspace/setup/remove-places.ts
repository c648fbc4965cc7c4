import { rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isFree } from './is-free.ts';

/**
 * Deletes the empty mount points that sandboxes created in a checkout, and parents left empty. Call
 * it when nothing runs there any more. Never rejects.
 */
export async function removePlaces(root: string, places: readonly string[]): Promise<void> {
  for (const place of places) {
    // A command may have put a link on the path since.
    if (!(await isFree(root, place).catch(() => false))) continue;
    for (let path = place; path !== '.'; path = dirname(path)) {
      const removed = await rmdir(join(root, path)).then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
      );
      if (!removed) break;
    }
  }
}
