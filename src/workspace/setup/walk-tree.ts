import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const deepest = 24;

/**
 * Walks a folder in a fixed order and yields paths relative to it: entries of a folder before
 * entries of its subfolders. Follows no link, skips `.git`, and enters a folder only if `enter`
 * allows it. Ends after `most` entries. `onCut` is called when entries or depth are cut.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one walk with two limits
export async function* walkTree(
  root: string,
  enter: (folder: string) => boolean,
  onCut: () => void = () => {},
  most = 300_000,
): AsyncGenerator<{ readonly path: string; readonly kind: 'file' | 'folder' | 'other' }> {
  let entries = 0;
  const folders = [{ path: '', depth: 0 }];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const found = await readdir(join(root, folder.path), { withFileTypes: true });
    const below: typeof folders = [];
    for (const entry of found.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      entries += 1;
      if (entries > most) return onCut();
      if (entry.name === '.git') continue;
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
      const kind = kindOf(entry);
      yield { path, kind };
      if (kind !== 'folder' || !enter(path)) continue;
      if (folder.depth < deepest) below.push({ path, depth: folder.depth + 1 });
      else onCut();
    }
    for (const folder of below.reverse()) folders.push(folder);
  }
}

function kindOf(entry: Dirent): 'file' | 'folder' | 'other' {
  if (entry.isDirectory()) return 'folder';
  return entry.isFile() ? 'file' : 'other';
}
