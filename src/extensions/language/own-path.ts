import { ToolError } from '../../contract/errors.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** The path of a file of the workspace, as servers are told of it. Throws `ToolError` for one of another checkout, and for what is no file. */
export async function ownPath(given: string, { files }: Pick<Workspace, 'files'>): Promise<string> {
  const path = files.relative(given);
  if (path.startsWith('../') || path.startsWith('/'))
    throw new ToolError(
      'invalid_input',
      `Language servers see the workspace alone, and ${given} lies outside of it. Use code_search or grep with this path.`,
    );
  const info = path === '' ? null : await files.stat(path);
  if (path === '' || info?.kind === 'directory')
    throw new ToolError(
      'invalid_input',
      `${given} is a folder; name a file. For a whole folder there is diagnostics.`,
    );
  // What is not there is said by the reader, with names that are near.
  if (info === null) await files.read(path, 1);
  return path;
}
