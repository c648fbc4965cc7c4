import { lstat, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type SetupFolder, scratchFolders } from '../../sandbox/setup-layout.ts';
import { runProgram } from '../files/run-program.ts';
import { folderMatcher } from './setup-key.ts';
import { walkTree } from './walk-tree.ts';

/**
 * Finds the folders that the commands created, as `cache` names them: globs in the tree, or paths
 * below `~`. Links do not count. Folders beyond `most` are counted in `missed`.
 */
export async function findFolders(
  { tree, home }: { readonly tree: string; readonly home: string },
  cache: readonly string[],
  most: number,
): Promise<{ folders: SetupFolder[]; missed: number }> {
  const found: SetupFolder[] = [];
  const isProduced = folderMatcher(cache);
  for await (const { path, kind } of walkTree(tree, (folder) => !isProduced(folder)))
    if (kind === 'folder' && isProduced(path)) found.push({ place: path, folder: join(tree, path) });
  for (const place of cache) {
    const [start, ...parts] = place.split('/');
    if (start !== '~') continue;
    const path = parts.join('/');
    if (await isPlainFolder(home, path)) found.push({ place, folder: join(home, path) });
  }
  return { folders: found.slice(0, most), missed: Math.max(0, found.length - most) };
}

async function isPlainFolder(root: string, path: string): Promise<boolean> {
  let at = root;
  for (const part of path.split('/')) {
    at = join(at, part);
    const found = await lstat(at).catch(() => null);
    if (!found?.isDirectory()) return false;
  }
  return true;
}

/** Creates the empty folders that are mounted over where programs write. Existing ones stay. */
export async function makeScratch(folders: readonly SetupFolder[]): Promise<void> {
  for (const { folder, place } of folders)
    if (basename(place) === 'node_modules')
      for (const name of scratchFolders) await mkdir(join(folder, name)).catch(() => undefined);
}

/** Returns the disk usage of folders, given by absolute paths, in bytes. */
export async function sizeOf(folders: readonly string[]): Promise<number> {
  if (folders.length === 0) return 0;
  const { output } = await runProgram('du', ['-skc', ...folders]);
  return Number(/(\d+)\ttotal\n$/.exec(output)?.[1]) * 1024;
}
