import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Returns the real paths of the object folders that a git directory borrows from, directly or in
 * turn. The repository may have written the list, which could expose any folder of the machine.
 * Listed folders therefore count only if they are named `objects` and lie beside a HEAD.
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
