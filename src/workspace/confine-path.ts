import * as path from 'node:path';
import { ToolError } from '../contract/errors.ts';

/** The folder our own files of a run are copied to; never part of a change, never written by a tool. */
export const harnessFolder = '.anode-harness';

/** Names of temporary files that a write leaves beside its target if it is killed. */
export const temporaryPrefix = '.anode-tmp-';

/** A path that was found to lie, by its letters, under one of the roots. Links are not looked at yet. */
export interface ConfinedPath {
  readonly root: string;
  /** Below `root`, `/`-separated, no `.` or `..`; '' is the root itself. */
  readonly relative: string;
  /** What is shown: relative in the workspace, absolute in a read-only folder. */
  readonly shown: string;
}

/** True when `absolute` is `root` or lies below it, by letters alone. */
export function isInside(root: string, absolute: string): boolean {
  return absolute === root || absolute.startsWith(root === '/' ? root : `${root}/`);
}

/**
 * True when any part of the path is a git directory, also under the names that a case-folding or 8.3 file
 * system takes for it (as git's own core.protectHFS and core.protectNTFS see it).
 */
export function isGitPath(relative: string): boolean {
  return relative.split('/').some((part) => /^(\.git|git~1)$/i.test(part));
}

/** True for what a run keeps for itself in the checkout: never written by a tool, never part of a change. */
export function isOwnPath(relative: string): boolean {
  return relative.split('/')[0] === harnessFolder || path.basename(relative).startsWith(temporaryPrefix);
}

/**
 * Finds the root a path belongs to and its normal form there. Relative paths belong to the workspace.
 * Throws `ToolError`: `invalid_input` for a NUL byte, `outside_workspace` when it lies under no root.
 */
export function confinePath(given: string, root: string, readOnlyRoots: readonly string[]): ConfinedPath {
  if (given.includes('\0')) throw new ToolError('invalid_input', 'A path cannot hold a NUL byte.');
  const absolute = path.resolve(root, given);
  for (const candidate of [root, ...readOnlyRoots]) {
    if (!isInside(candidate, absolute)) continue;
    const relative = path.relative(candidate, absolute);
    return { root: candidate, relative, shown: candidate === root ? relative : absolute };
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
