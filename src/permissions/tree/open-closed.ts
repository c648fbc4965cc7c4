import { chmodSync, closeSync, constants, fstatSync, openSync } from 'node:fs';

/** open(2), O_PATH: opens a folder without read permission. */
const pathOnly = 0o10000000;

/**
 * Restores a folder's owner permissions (`chmod u+rwx`) if it lacks one of the `wanted` mode bits.
 * Follows no link. Folders of other users and missing folders are left alone.
 */
export function openClosed(folder: string | Buffer, wanted = 0o700): void {
  try {
    const fd = openSync(folder, pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      const { mode } = fstatSync(fd);
      if ((mode & wanted) !== wanted) chmodSync(`/proc/self/fd/${fd}`, (mode & 0o7777) | 0o700);
    } finally {
      closeSync(fd);
    }
  } catch {
    // The next access reports the error.
  }
}
