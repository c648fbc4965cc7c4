import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * The object folders that a git directory borrows from, and those that they borrow from in turn, by their real
 * paths. The list may be the repository's own, and would show any folder of the machine: what is not an object
 * folder by name, beside the HEAD of its repository, is left out.
 */
export async function borrowedFolders(gitDirectory: string): Promise<string[]> {
  const found = new Set<string>();
  const pending = [join(gitDirectory, 'objects')];
  for (let objects = pending.pop(); objects !== undefined; objects = pending.pop()) {
    const text = await readFile(join(objects, 'info/alternates'), 'utf8').catch(() => '');
    for (const line of text.split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      const folder = await realpath(resolve(objects, line)).catch(() => null);
      if (folder === null || found.has(folder)) continue;
      if (basename(folder) !== 'objects' || !existsSync(join(dirname(folder), 'HEAD'))) continue;
      found.add(folder);
      pending.push(folder);
    }
  }
  return [...found];
}
