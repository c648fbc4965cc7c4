import * as path from 'node:path';
import { ToolError } from '../../contract/errors.ts';

/** The folder our own files of a run are copied to; never part of a change, never written by a tool. */
export const harnessFolder = '.anode-harness';

/** How the folder is named that a write stages its files in, and leaves behind if it is killed. */
export const temporaryPrefix = '.anode-tmp-';

/** A path that was found to lie, by its letters, under one of the roots. Links are not looked at yet. */
export interface ConfinedPath {
  readonly root: string;
  /** Below `root`, `/`-separated, no `.` or `..`; '' is the root itself. */
  readonly relative: string;
  /** What is shown: relative in the workspace, by the name of the folder in a read-only one. */
  readonly shown: string;
}

/** True when `absolute` is `root` or lies below it, by letters alone. */
export function isInside(root: string, absolute: string): boolean {
  return absolute === root || absolute.startsWith(root === '/' ? root : `${root}/`);
}

/** Characters that HFS+ leaves out of names, as git's core.protectHFS has them (`next_hfs_char`). */
const invisible = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * True when any part of the path is a git directory, also under the names that a case-folding, normalising or
 * 8.3 file system takes for it (git's core.protectHFS and core.protectNTFS: dots and spaces at the end, streams
 * after a colon, backslashes).
 */
export function isGitPath(relative: string): boolean {
  // Almost every path: no need to take it apart. To fold the letters of the last class takes V8 milliseconds.
  if (!/[Gg][Ii][Tt]|\\|[^\x20-\x7e]/.test(relative)) return false;
  const plain = relative.replaceAll(invisible, '').normalize('NFKC');
  return plain.split(/[/\\]/).some((part) => /^(?:\.git|git~1)[. ]*(?::.*)?$/i.test(part));
}

/** True for what a run keeps for itself in the checkout: never written by a tool, never part of a change. */
export function isOwnPath(relative: string): boolean {
  const parts = relative.split('/');
  return parts[0]?.toLowerCase() === harnessFolder || parts.some((part) => part.startsWith(temporaryPrefix));
}

/** A folder that may be read besides the workspace. */
export interface ReadOnlyRoot {
  /** Its real absolute path. */
  readonly folder: string;
  /** How its files are named: by its absolute path, or by one from the workspace (`../shared-lib`). */
  readonly shown: string;
}

/** A folder that lies elsewhere and is shown within the workspace, for reading. */
export interface Overlay {
  /** Its real absolute path. */
  readonly folder: string;
  /** Where it is shown: a path from the workspace's root. */
  readonly place: string;
}

/**
 * Finds the root a path belongs to and its normal form there. Relative paths belong to the workspace, or to a
 * read-only folder that is named from there; what `overlays` show lies over the workspace. Throws `ToolError`: `invalid_input` for a NUL byte,
 * `outside_workspace` when it lies under no root.
 */
export function confinePath(
  given: string,
  root: string,
  readOnlyRoots: readonly ReadOnlyRoot[],
  overlays: readonly Overlay[] = [],
): ConfinedPath {
  if (given.includes('\0')) throw new ToolError('invalid_input', 'A path cannot hold a NUL byte.');
  const absolute = path.resolve(root, given);
  if (isInside(root, absolute)) {
    const relative = path.relative(root, absolute);
    for (const { folder, place } of overlays) {
      if (relative !== place && !relative.startsWith(`${place}/`)) continue;
      return { root: folder, relative: path.relative(place, relative), shown: relative };
    }
    return { root, relative, shown: relative };
  }
  for (const { folder, shown } of readOnlyRoots) {
    const named = [folder, path.resolve(root, shown)].find((one) => isInside(one, absolute));
    if (named === undefined) continue;
    const relative = path.relative(named, absolute);
    return { root: folder, relative, shown: path.join(shown, relative) };
  }
  throw new ToolError('outside_workspace', `${given} lies outside the workspace. Use paths inside it.`);
}

/** Throws `ToolError('protected')` for git's own files, and for writes into the run's own folder. */
export function refuseProtected(relative: string, access: 'read' | 'write'): void {
  if (isGitPath(relative)) {
    throw new ToolError(
      'protected',
      `${relative} is git's own, and git's own files cannot be read or written here. Use git commands instead.`,
    );
  }
  if (access === 'write' && isOwnPath(relative)) {
    throw new ToolError('protected', `${relative} is the run's own, which tools do not write.`);
  }
}
