import { posix } from 'node:path';

/** Where commands of a run start, as far as it decides what a call's folder means. */
export interface CommandStart {
  /** The folder of the workspace that the run started in, '' for its root. */
  readonly start: string;
  /** How the registered repositories are named from the root: `../shared-lib`. */
  readonly repositories: readonly { readonly shown: string }[];
}

/**
 * The folder that a call's commands start in, from the workspace's root; undefined for the root of a call that names none. A `cwd` counts
 * from the root, but for one that leads out of it and, from the start folder, does not.
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
