import { lstatSync, readFileSync } from 'node:fs';
import { isInside } from './toolchain-folders.ts';

/**
 * Returns the mount points below a folder, absolute, outer ones first. Unreadable ones are omitted.
 * A bind mount of the folder includes them, and making it read-only leaves them writable
 * (mount_namespaces(7), bwrap(1)). Default of `table`: the kernel's list (proc_pid_mountinfo(5)).
 */
export function mountsBelow(root: string, table = readFileSync('/proc/self/mountinfo', 'utf8')): string[] {
  const places = table.split('\n').flatMap((line) => line.split(' ')[4] ?? []);
  const named = new Set(places.map(withoutEscapes).filter((place) => isInside(place, root)));
  return [...named].filter(isThere).sort();
}

/** Blanks, tabs, line ends and backslashes are octal escapes there. */
function withoutEscapes(place: string): string {
  return place.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

function isThere(place: string): boolean {
  try {
    return lstatSync(place, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A mount of another user (FUSE), which commands cannot reach either.
    return false;
  }
}
