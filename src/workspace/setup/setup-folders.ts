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
    if (kind === 'folder' && isProduced(path)) found.push({ mountPath: path, folder: join(tree, path) });
  for (const mountPath of cache) {
    const [start, ...parts] = mountPath.split('/');
    if (start !== '~') continue;
    const path = parts.join('/');
    if (await isPlainFolder(home, path)) found.push({ mountPath, folder: join(home, path) });
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
  for (const { folder, mountPath } of folders)
    if (basename(mountPath) === 'node_modules')
      for (const name of scratchFolders) await mkdir(join(folder, name)).catch(() => undefined);
}

/** Returns the disk usage of folders, given by absolute paths, in bytes. */
export async function diskUsage(folders: readonly string[]): Promise<number> {
  if (folders.length === 0) return 0;
  const { output } = await runProgram('du', ['-skc', ...folders]);
  return Number(/(\d+)\ttotal\n$/.exec(output)?.[1]) * 1024;
}

/** Excluded from the copy: git's own folders, which may hold credentials, and ours. */
const excluded = ['--exclude=.git', '--exclude=./.anode-harness'];

/** Bash reads its user's start-up files if its input is a socket, as under Node. */
const noStart = ['--norc'];

const script = 'set -o pipefail; from=$1 to=$2; shift 2; tar -C "$from" "$@" -cf - . | tar -C "$to" -xpf -';

/**
 * Copies a work tree into an existing folder, without git. Owners, modes and links stay; no link is
 * followed. Rejects with tar's error output.
 */
export async function copyTree(from: string, to: string, signal: AbortSignal): Promise<void> {
  const { failed, errors } = await runProgram(
    'bash',
    [...noStart, '-c', script, 'copy', from, to, ...excluded],
    signal,
  );
  if (failed) throw new Error(`The checkout could not be copied for the set-up: ${errors}`);
}

/**
 * Removes set-user-ID and set-group-ID bits. They have no effect in a sandbox, but the result stays
 * on the machine and its owner may be root. Rejects if a folder cannot be searched.
 */
export async function clearSetIdBits(folders: readonly string[]): Promise<void> {
  if (folders.length === 0) return;
  const which = ['!', '-type', 'l', '-perm', '/6000', '-exec', 'chmod', 'ug-s', '{}', '+'];
  const { failed } = await runProgram('find', [...folders, ...which]);
  if (failed) throw new Error('The folders of the set-up cannot be searched.');
}
