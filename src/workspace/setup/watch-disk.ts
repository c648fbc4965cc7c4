import { statfs } from 'node:fs/promises';

/** Disk limits of a set-up in bytes and files, and the space that must stay free. */
export interface DiskLimits {
  readonly bytes: number;
  readonly files: number;
  readonly free: number;
}

const everyMs = 500;

/**
 * Calls `exceeded` once when the file system of `folder` lost more space than allowed or runs low;
 * returns a function that stops the watch. Other writers on the same disk count too, which errs on
 * the safe side: a hostile build must not stop the machine.
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
  // A missing folder ends the watch.
  const timer = setInterval(() => void look().catch(() => clearInterval(timer)), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
