import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { append } from '../../contract/lists.ts';
import type { ConfinedFiles } from '../../workspace/files/confined-files.ts';
import { unlessNull } from '../input/lenient.ts';
import { defineTool } from '../tool.ts';
import { searchFields, searchOutput } from './search-files.ts';

const input = z.object({
  query: z.string().min(1).describe('text, taken literally'),
  path: unlessNull(z.string()).describe('a file or folder to search; left out: all'),
  ...searchFields,
});

/** Searches the run's own files. */
export const workspaceSearchFiles = defineTool({
  name: 'workspace.search_files',
  description:
    'Search the text of your own files outside the repository (output/, scratch/, plan/, persist/, …).',
  exposure: 'deferred',
  input,
  level: 'auto_read',
  targets: (args) => ({ what: `"${args.query}" in ${args.path ?? '.'}` }),
  async execute(args, context) {
    const { storage, signal } = context;
    const path = storage.locate(args.path ?? '');
    const { files } = await storage.open();
    const { content, data } = await searchOutput(files, await filesBelow(files, path), args, signal);
    return { content, data };
  },
});

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
