import { fchownSync } from 'node:fs';
import { errorCode } from './open-confined.ts';

/**
 * Gives an open file or folder to a user and a group; -1 leaves one as it is. False where we have no right to: root has none in a
 * container that dropped `CAP_CHOWN`.
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
