import { append } from '../../contract/lists.ts';
import type { ConfinedFiles } from '../files/confined-files.ts';
import { gitMode } from '../git/git-mode.ts';
import { contentHash } from './before-images.ts';

/** A file or link in a work tree. */
export interface PathState {
  /** SHA-256 of the content; of a link, of its target. */
  readonly hash: string;
  /** Git's mode. */
  readonly mode: string;
  /** Permission bits. */
  readonly permissions: number;
}

/**
 * Returns the state of a path without following links. Null for an absent one, also below a file
 * or a link; `other` for what git does not record, such as a socket. Throws `ToolError` for git's
 * own files.
 */
export async function stateOfPath(
  path: string,
  files: ConfinedFiles,
): Promise<PathState | null | 'folder' | 'other'> {
  if ((await obstacleAbove(path, files)) !== 'none') return null;
  const info = await files.stat(path);
  if (info === null || info.kind === 'other') return info === null ? null : 'other';
  if (info.kind === 'directory') return 'folder';
  if (info.kind === 'symlink')
    return { hash: contentHash(Buffer.from(await files.readLink(path))), mode: '120000', permissions: 0o777 };
  const { bytes, mode } = await files.read(path);
  return { hash: contentHash(bytes), mode: gitMode(mode), permissions: mode };
}

/**
 * Returns the first folder above a path that is a file or a link; `missing` if one is not there,
 * else `none`.
 */
export async function obstacleAbove(
  path: string,
  files: ConfinedFiles,
): Promise<'none' | 'missing' | { readonly path: string }> {
  const parts = path.split('/');
  for (let depth = 1; depth < parts.length; depth += 1) {
    const above = parts.slice(0, depth).join('/');
    const info = await files.stat(above);
    if (info === null) return 'missing';
    if (info.kind !== 'directory') return { path: above };
  }
  return 'none';
}

/** Lists all but folders below a folder, without following links. */
export async function entriesBelow(folder: string, files: ConfinedFiles): Promise<string[]> {
  const found: string[] = [];
  for (const { name, kind } of await files.list(folder)) {
    const path = `${folder}/${name}`;
    if (kind === 'directory') append(found, await entriesBelow(path, files));
    else found.push(path);
  }
  return found;
}

/** Compares a state with a recorded one. A mode that was not recorded fits any. */
export function isState(
  now: Awaited<ReturnType<typeof stateOfPath>>,
  hash: string | null,
  mode: string | null,
): boolean {
  // A folder is no file: what it holds has paths of its own.
  if (now === null || now === 'folder') return hash === null;
  if (now === 'other' || now.hash !== hash) return false;
  return mode === null || now.mode === mode;
}
