import { ToolError } from '../../contract/errors.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Where a search starts: a folder or file of the workspace, relative to its root. */
export interface SearchRoot {
  readonly path: string;
  readonly kind: 'directory' | 'file';
}

/**
 * Checks the path of a search before a program is given it. Programs follow a link that is named to them,
 * so a link is refused here. Throws `ToolError` for what is missing or outside the workspace.
 */
export async function searchRoot(workspace: Workspace, path: string): Promise<SearchRoot> {
  const relative = workspace.files.relative(path);
  if (relative === '') return { path: '.', kind: 'directory' };
  const info = await workspace.files.stat(relative);
  if (info === null) {
    throw new ToolError('not_found', `${path} does not exist. Leave path out to search the whole workspace.`);
  }
  if (info.kind !== 'directory' && info.kind !== 'file') {
    throw new ToolError('invalid_input', `${path} is a ${info.kind}; searches start at a directory or file.`);
  }
  return { path: relative, kind: info.kind };
}
