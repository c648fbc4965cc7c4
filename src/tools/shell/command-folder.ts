import { posix } from 'node:path';

/** The folders that decide the meaning of a call's `cwd`. */
export interface CommandStart {
  /** The folder of the workspace that the run started in; empty for its root. */
  readonly start: string;
  /** Paths of the registered repositories from the root: `../shared-lib`. */
  readonly repositories: readonly { readonly shown: string }[];
}

/**
 * Returns the folder of a call's commands, relative to the workspace's root; undefined for the root
 * of a call without one. A `cwd` is relative to the root, unless it leads out of it and, from the
 * start folder, does not.
 */
export function commandFolder(
  cwd: string | undefined,
  { start, repositories }: CommandStart,
): string | undefined {
  if (start === '') return cwd;
  if (cwd === undefined) return start;
  const fromRoot = posix.normalize(cwd);
  if (fromRoot !== '..' && !fromRoot.startsWith('../')) return cwd;
  if (repositories.some(({ shown }) => fromRoot === shown || fromRoot.startsWith(`${shown}/`))) return cwd;
  const fromStart = posix.join(start, cwd);
  return fromStart === '..' || fromStart.startsWith('../') ? cwd : fromStart;
}
