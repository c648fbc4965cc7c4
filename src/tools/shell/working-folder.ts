import { ToolError } from '../../contract/errors.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/**
 * Resolves the folder of a command, relative to the workspace (empty for its root). Throws
 * `ToolError` for one that is missing, no folder, or outside.
 */
export async function workingFolder(path: string, workspace: Workspace): Promise<string> {
  const relative = workspace.files.relative(path);
  if (relative === '') return '';
  const info = await workspace.files.stat(relative);
  if (info?.kind === 'directory') return relative;
  const { start } = workspace;
  const cure =
    start === ''
      ? "Leave cwd out to run in the workspace's root."
      : relative === start
        ? 'Give cwd: "." to run in the root of the repository.'
        : `It counts from the root of the repository; leave it out to run in ${start}.`;
  throw new ToolError(
    info === null ? 'not_found' : 'invalid_input',
    `cwd: ${path} is ${info === null ? 'not there' : `a ${info.kind}, not a directory`}. ${cure}`,
  );
}
