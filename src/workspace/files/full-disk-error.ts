import { statfs } from 'node:fs/promises';

/**
 * Free bytes below which a disk counts as full. A program that failed on it has already deleted its
 * partial output.
 */
const leastFree = 1024 * 1024;

/**
 * Returns an `ENOSPC` error for a program that failed on a full disk; null if the disk has space.
 * `failure` says what failed.
 */
export async function fullDiskError(folder: string, failure: string): Promise<NodeJS.ErrnoException | null> {
  const disk = await statfs(folder).catch(() => null);
  // File systems without a size (proc, some overlays) have no blocks.
  if (disk === null || disk.blocks === 0 || disk.bavail * disk.bsize >= leastFree) return null;
  const error = new Error(`the disk of ${folder} is full: ${failure}`);
  return Object.assign(error, { code: 'ENOSPC', syscall: 'write', path: folder });
}
