import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** How far down, and through how many folders, repositories in the workspace are looked for. */
const deepest = 4;
const mostFolders = 2_000;

/** What git settings hold when a credential is among them: a header, a helper, an address with a password. */
const credential = /extraheader|^\s*\[\s*credential|:\/\/[^/\s@]*@/im;
const mostBytes = 64 * 1024;

/**
 * The settings files of repositories within the workspace that hold credentials, as a workflow leaves them that
 * checks out a second repository into a folder of the first; absolute paths. The workspace's own `.git` is not
 * among them. Looks a few folders deep, follows no link, and leaves `node_modules` out.
 */
export async function nestedCredentials(root: string): Promise<string[]> {
  const found: string[] = [];
  let level = [root];
  let left = mostFolders;
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1) {
    const looked = level.slice(0, left);
    left -= looked.length;
    const below = await Promise.all(looked.map(foldersIn));
    for (const folder of depth === 0 ? [] : looked) {
      const config = join(folder, '.git/config');
      if (holdsCredential(config)) found.push(config);
    }
    level = below.flat();
  }
  return found;
}

/** Whether it is (still) a file there, not reached by a link, and has a credential in it. */
export function holdsCredential(config: string): boolean {
  try {
    if (realpathSync(config) !== config) return false;
    const descriptor = openSync(config, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!fstatSync(descriptor).isFile()) return false;
      const bytes = Buffer.alloc(mostBytes);
      return credential.test(bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, mostBytes, 0)));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false;
  }
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && !['.git', 'node_modules'].includes(entry.name))
    .map((entry) => join(folder, entry.name));
}
