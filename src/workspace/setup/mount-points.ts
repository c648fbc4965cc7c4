import { lstat, readdir, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../files/open-confined.ts';

/** True if a path is missing or an empty folder, without a link on the way. */
export async function isFree(root: string, mountPath: string): Promise<boolean> {
  let at = root;
  for (const part of mountPath.split('/')) {
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

/**
 * Deletes the empty mount points that sandboxes created in a checkout, and parents left empty. Call
 * it when no process runs there. Never rejects.
 */
export async function removeMountPoints(root: string, mountPaths: readonly string[]): Promise<void> {
  for (const mountPath of mountPaths) {
    // A command may have put a link on the path since.
    if (!(await isFree(root, mountPath).catch(() => false))) continue;
    for (let path = mountPath; path !== '.'; path = dirname(path)) {
      const removed = await rmdir(join(root, path)).then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
      );
      if (!removed) break;
    }
  }
}
