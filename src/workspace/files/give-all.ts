import { chown, readdir } from 'node:fs/promises';
import * as path from 'node:path';

/** Changes the owner of a folder and its contents; links are not followed. */
export async function giveAll(folder: string, uid: number, gid: number): Promise<void> {
  await chown(folder, uid, gid);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const below = path.join(folder, entry.name);
    if (entry.isDirectory()) await giveAll(below, uid, gid);
    else if (entry.isFile()) await chown(below, uid, gid);
  }
}
