import { fchownSync } from 'node:fs';
import { errorCode } from './open-confined.ts';

/**
 * Changes owner and group of an open file or folder; -1 leaves one unchanged. Returns false without
 * the right: in a container that dropped `CAP_CHOWN`, root lacks it.
 */
export function giveFile(fd: number, uid: number, gid: number): boolean {
  try {
    fchownSync(fd, uid, gid);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error;
    return false;
  }
}
