import * as path from 'node:path';
import { ToolError } from '../../contract/errors.ts';

/**
 * Folder in the checkout for the record of a run. Never part of a change, never written by a tool.
 */
export const harnessFolder = '.anode-harness';

/** Name prefix of staging folders. One remains if a write is killed. */
export const temporaryPrefix = '.anode-tmp-';

/** A path that lexically lies under one of the roots. Links are not resolved yet. */
export interface ConfinedPath {
  readonly root: string;
  /** Below `root`, `/`-separated, no `.` or `..`; '' is the root itself. */
  readonly relative: string;
  /** Display name: relative in the workspace, prefixed by the folder name in a read-only root. */
  readonly displayPath: string;
}

/** True if `absolute` is `root` or lexically below it. */
export function isInside(root: string, absolute: string): boolean {
  return absolute === root || absolute.startsWith(root === '/' ? root : `${root}/`);
}

/** Characters that HFS+ ignores in names, as in git's core.protectHFS (`next_hfs_char`). */
const invisible = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * True if any part of the path is a git directory, also under names that a case-folding,
 * normalising or 8.3 file system takes for it. Follows git's core.protectHFS and core.protectNTFS:
 * trailing dots and spaces, streams after a colon, backslashes.
 */
export function isGitPath(relative: string): boolean {
  // Fast path for almost every path: folding the last class takes V8 milliseconds.
  if (!/[Gg][Ii][Tt]|\\|[^\x20-\x7e]/.test(relative)) return false;
  const plain = relative.replaceAll(invisible, '').normalize('NFKC');
  return plain.split(/[/\\]/).some((part) => /^(?:\.git|git~1)[. ]*(?::.*)?$/i.test(part));
}

/**
 * True for the run's own files in the checkout: never written by a tool, never part of a change.
 */
export function isOwnPath(relative: string): boolean {
  const parts = relative.split('/');
  return parts[0]?.toLowerCase() === harnessFolder || parts.some((part) => part.startsWith(temporaryPrefix));
}

/** A read-only folder besides the workspace. */
export interface ReadOnlyRoot {
  /** Real absolute path. */
  readonly folder: string;
  /** Display path: absolute, or relative to the workspace (`../shared-lib`). */
  readonly displayPath: string;
}

/** A read-only folder from elsewhere, mounted in the workspace. */
export interface Overlay {
  /** Real absolute path. */
  readonly folder: string;
  /** Mount path from the workspace's root. */
  readonly mountPath: string;
}

/**
 * Finds the root of a path and its normal form there. Relative paths belong to the workspace, or to
 * a read-only folder that is named from there. `overlays` cover the workspace. Throws `ToolError`:
 * `invalid_input` for a NUL byte, `outside_workspace` for a path under no root.
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
    for (const { folder, mountPath } of overlays) {
      if (relative !== mountPath && !relative.startsWith(`${mountPath}/`)) continue;
      return { root: folder, relative: path.relative(mountPath, relative), displayPath: relative };
    }
    return { root, relative, displayPath: relative };
  }
  for (const { folder, displayPath } of readOnlyRoots) {
    const named = [folder, path.resolve(root, displayPath)].find((one) => isInside(one, absolute));
    if (named === undefined) continue;
    const relative = path.relative(named, absolute);
    return { root: folder, relative, displayPath: path.join(displayPath, relative) };
  }
  throw new ToolError('outside_workspace', `${given} lies outside the workspace. Use paths inside it.`);
}

/** Throws `ToolError('protected')` for git's own files, and for writes to the run's own folder. */
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
