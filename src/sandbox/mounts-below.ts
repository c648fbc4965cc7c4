import { lstatSync, readFileSync } from 'node:fs';
import { isInside } from './toolchain-folders.ts';

/**
 * The mount points of the machine below a folder, absolute, each before those within it; what we may not look at is left out. A bind of
 * the folder shows them too, and a mount that is made read-only leaves them writable (mount_namespaces(7), bind mounts; bwrap(1)).
 * `table` is what the kernel says (proc_pid_mountinfo(5)).
 */
export function mountsBelow(root: string, table = readFileSync('/proc/self/mountinfo', 'utf8')): string[] {
  const places = table.split('\n').flatMap((line) => line.split(' ')[4] ?? []);
  const named = new Set(places.map(withoutEscapes).filter((place) => isInside(place, root)));
  return [...named].filter(isThere).sort();
}

/** Blanks, tabs, line ends and backslashes stand there as octal numbers. */
function withoutEscapes(place: string): string {
  return place.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

function isThere(place: string): boolean {
  try {
    return lstatSync(place, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A mount of another user (FUSE), which no command of ours reaches either.
    return false;
  }
}
