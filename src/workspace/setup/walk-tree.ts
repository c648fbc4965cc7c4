import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { append } from '../../contract/lists.ts';

const deepest = 24;

/**
 * Walks a folder in a fixed order and yields paths relative to it: entries of a folder before
 * entries of its subfolders. Follows no link, skips `.git`, and enters a folder only if `enter`
 * allows it. Ends after `most` entries. `onCut` is called when entries or depth are cut.
 */
export async function* walkTree(
  root: string,
  enter: (folder: string) => boolean,
  onCut: () => void = () => {},
  most = 300_000,
): AsyncGenerator<{ readonly path: string; readonly kind: 'file' | 'folder' | 'other' }> {
  let entries = 0;
  const folders = [{ prefix: '', depth: 0 }];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const { prefix, depth } = folder;
    const below: typeof folders = [];
    const found = await entriesByName(join(root, prefix));
    const walked = found.slice(0, most - entries).filter(({ name }) => name !== '.git');
    entries += found.length;
    for (const entry of walked) {
      const path = prefix + entry.name;
      const kind = kindOf(entry);
      yield { path, kind };
      if (kind === 'folder' && enter(path)) below.push({ prefix: `${path}/`, depth: depth + 1 });
    }
    if (entries > most) return onCut();
    if (depth < deepest) append(folders, below.reverse());
    else if (below.length > 0) onCut();
  }
}

async function entriesByName(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function kindOf(entry: Dirent): 'file' | 'folder' | 'other' {
  if (entry.isDirectory()) return 'folder';
  return entry.isFile() ? 'file' : 'other';
}
