import { accessSync, constants, realpathSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';

const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Returns a PATH for programs started outside of a sandbox. It has no relative or empty entries,
 * and no folders that are or lead below `root`, whose programs are untrusted. Default of `path`:
 * the system's own.
 */
export function trustedPath(path: string | undefined, root: string | null): string {
  const inside = (folder: string) =>
    root !== null && [folder, realOf(folder)].some((one) => `${one}/`.startsWith(realOf(root) + sep));
  return (path ?? systemPath)
    .split(':')
    .filter((folder) => isAbsolute(folder) && !inside(folder))
    .join(':');
}

/** Returns the path of bubblewrap, itself not below `root`; its bare name if there is none. */
export function findBwrap(path: string | undefined, root: string): string {
  const files = trustedPath(path, root)
    .split(':')
    .map((folder) => join(folder, 'bwrap'));
  const found = files.find((file) => isExecutable(file) && !realOf(file).startsWith(realOf(root) + sep));
  return found ?? 'bwrap';
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
