import { chmodSync, closeSync, constants, fstatSync, openSync } from 'node:fs';

/** open(2), O_PATH: a descriptor of a folder that may not be read. */
const pathOnly = 0o10000000;

/**
 * Gives a folder back to its owner (`chmod u+rwx`) where it lacks one of the `wanted` bits of its mode. No link is followed. What
 * belongs to another user, or is gone, stays as it is.
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
    // Whoever looks into it, or writes there, is told by the system.
  }
}
