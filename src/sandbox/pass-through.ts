import { chmod, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Lets other users pass through the folders above a path, as far as they are ours; what is in them stays unlisted. */
export async function passThrough(path: string): Promise<void> {
  for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) {
    const { mode, uid } = await stat(folder);
    if ((mode & 0o001) === 0 && uid === process.getuid?.()) await chmod(folder, (mode & 0o777) | 0o001);
  }
}
