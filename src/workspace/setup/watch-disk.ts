import { statfs } from 'node:fs/promises';

/** What a set-up may take of the disk, in bytes and in files, and what has to stay free of it for everybody else. */
export interface DiskLimits {
  readonly bytes: number;
  readonly files: number;
  readonly free: number;
}

const everyMs = 500;

/**
 * Calls `exceeded` once, as soon as the file system of `folder` has so much less room than at first, or too little at all; returns
 * what ends the watch. Whatever else fills the same disk counts too, which errs on the safe side: a build of a stranger's must not
 * stop the machine.
 */
export async function watchDisk(
  folder: string,
  limits: DiskLimits,
  exceeded: () => void,
): Promise<() => void> {
  const first = await statfs(folder);
  const look = async () => {
    const now = await statfs(folder);
    const taken = (first.bavail - now.bavail) * now.bsize;
    const tooMuch = taken > limits.bytes || now.bavail * now.bsize < limits.free;
    if (!tooMuch && first.ffree - now.ffree <= limits.files) return;
    clearInterval(timer);
    exceeded();
  };
  // Where the folder is gone, so is what was watched.
  const timer = setInterval(() => void look().catch(() => clearInterval(timer)), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
