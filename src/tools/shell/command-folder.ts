import { posix } from 'node:path';
import { ToolError } from '../../contract/errors.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** The folders that decide the meaning of a call's `cwd`. */
export interface CommandStart {
  /** The folder of the workspace that the run started in; empty for its root. */
  readonly start: string;
  /** Paths of the registered repositories from the root: `../shared-lib`. */
  readonly repositories: readonly { readonly displayPath: string }[];
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
  if (
    repositories.some(({ displayPath }) => fromRoot === displayPath || fromRoot.startsWith(`${displayPath}/`))
  )
    return cwd;
  const fromStart = posix.join(start, cwd);
  return fromStart === '..' || fromStart.startsWith('../') ? cwd : fromStart;
}

/**
 * Resolves the folder of a command, relative to the workspace (empty for its root). Throws
 * `ToolError` for one that is missing, no folder, or outside.
 */
export async function workingFolder(path: string, workspace: Workspace): Promise<string> {
  const relative = workspace.files.relative(path);
  if (relative === '') return '';
  const info = await workspace.files.stat(relative);
  if (info?.kind === 'directory') return relative;
  throw new ToolError(
    info === null ? 'not_found' : 'invalid_input',
    `cwd: ${path} is ${info === null ? 'not there' : `a ${info.kind}, not a directory`}. ${remedyFor(relative, workspace.start)}`,
  );
}

function remedyFor(folder: string, start: string): string {
  if (start === '') return "Leave cwd out to run in the workspace's root.";
  if (folder === start) return 'Give cwd: "." to run in the root of the repository.';
  return `It counts from the root of the repository; leave it out to run in ${start}.`;
}
