import { accessSync, constants, realpathSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';

const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * A PATH for programs that we start outside of a sandbox: without relative and empty entries, and without folders that are, or lead,
 * below `root`, where whoever changes the checkout decides on the programs. The system's own where `path` is undefined.
 */
export function trustedPath(path: string | undefined, root: string | null): string {
  const inside = (folder: string) =>
    root !== null && [folder, realOf(folder)].some((one) => `${one}/`.startsWith(realOf(root) + sep));
  return (path ?? systemPath)
    .split(':')
    .filter((folder) => isAbsolute(folder) && !inside(folder))
    .join(':');
}

/** The file of bubblewrap on such a PATH, which does not lie below `root` itself either; its name where there is none. */
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
