import { ToolError } from '../../contract/errors.ts';
import { append } from '../../contract/lists.ts';
import type { ConfinedFiles } from '../../workspace/files/confined-files.ts';

/**
 * Lists every regular file at or below a path, sorted; empty means all. Throws
 * `ToolError('not_found')`.
 */
export async function filesBelow(files: ConfinedFiles, path: string): Promise<string[]> {
  const info = await files.stat(path);
  if (info === null) throw missing(path);
  if (info.kind !== 'directory') return [path];
  const found: string[] = [];
  for (const { name, kind } of await files.list(path)) {
    const below = path === '' ? name : `${path}/${name}`;
    if (kind === 'directory') append(found, await filesBelow(files, below));
    else if (kind === 'file') found.push(below);
  }
  return found.sort();
}

function missing(path: string): ToolError {
  return new ToolError('not_found', `${path} does not exist. workspace.list_files shows what there is.`);
}
