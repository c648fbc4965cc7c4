import { statfs } from 'node:fs/promises';

/** A disk with fewer bytes left counts as full: a program that met its end has taken back what it could not write whole. */
const leastFree = 1024 * 1024;

/**
 * The system's error (`ENOSPC`) for a program that failed in a folder whose disk is full; null where the disk has room.
 * `failure` says what failed.
 */
export async function fullDiskError(folder: string, failure: string): Promise<NodeJS.ErrnoException | null> {
  const disk = await statfs(folder).catch(() => null);
  // A file system without an end of its own (proc, overlays of some kinds) has no blocks.
  if (disk === null || disk.blocks === 0 || disk.bavail * disk.bsize >= leastFree) return null;
  const error = new Error(`the disk of ${folder} is full: ${failure}`);
  return Object.assign(error, { code: 'ENOSPC', syscall: 'write', path: folder });
}
