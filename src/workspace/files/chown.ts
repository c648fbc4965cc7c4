import { fchownSync } from 'node:fs';
import { chown, readdir } from 'node:fs/promises';
import * as path from 'node:path';
import { errorCode } from './open-confined.ts';

/**
 * Changes owner and group of an open file or folder; -1 leaves one unchanged. Returns false without
 * the right: in a container that dropped `CAP_CHOWN`, root lacks it.
 */
export function chownFile(fd: number, uid: number, gid: number): boolean {
  try {
    fchownSync(fd, uid, gid);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error;
    return false;
  }
}

/** Changes the owner of a folder and its contents; links are not followed. */
export async function chownTree(folder: string, uid: number, gid: number): Promise<void> {
  await chown(folder, uid, gid);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const below = path.join(folder, entry.name);
    if (entry.isDirectory()) await chownTree(below, uid, gid);
    else if (entry.isFile()) await chown(below, uid, gid);
  }
}
