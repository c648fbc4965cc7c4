import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { append } from '../../contract/lists.ts';
import type { ConfinedFiles } from '../../workspace/files/confined-files.ts';
import { integer, unlessNull } from '../input/lenient.ts';
import { defineTool, toJson } from '../tool.ts';

const input = z.object({
  path: unlessNull(z.string()).describe('left out: every folder there is'),
  depth: unlessNull(integer(z.int().min(1).max(4))).describe('default 2, at most 4'),
});

/** Lists the run's own files. */
export const workspaceListFiles = defineTool({
  name: 'workspace.list_files',
  description:
    'List your own files, which lie outside the repository: output/, scratch/, plan/, summaries/, and persist/, which later runs see.',
  exposure: 'deferred',
  findBy: ['run files'],
  input,
  level: 'auto_read',
  targets: (args) => ({ what: args.path ?? '.' }),
  async execute(args, context) {
    const { storage } = context;
    const path = storage.locate(args.path ?? '');
    const { files } = await storage.open();
    const info = await files.stat(path);
    if (info === null) {
      throw new ToolError('not_found', `${path} does not exist. Leave path out to see what there is.`);
    }
    const listed =
      info.kind === 'directory' ? await listTree(files, path, args.depth ?? 2) : [{ path, bytes: info.size }];
    const content = listed.length === 0 ? `${path}/ is empty.` : renderTree(listed);
    return { content, data: toJson({ path, entries: listed }) };
  },
});

/** One entry of a listing; a folder's path ends with `/`. */
interface ListedFile {
  readonly path: string;
  /** Null for a folder. */
  readonly bytes: number | null;
  /** Number of entries below a folder that is too deep to list. */
  readonly deeper?: number;
}

/** Lists the entries below a folder down to `depth` levels, in the order of paths. */
export async function listTree(files: ConfinedFiles, folder: string, depth: number): Promise<ListedFile[]> {
  const listed: ListedFile[] = [];
  for (const { name, kind } of await files.list(folder)) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (kind === 'directory') append(listed, await listFolder(files, path, depth));
    if (kind === 'file') listed.push({ path, bytes: (await files.stat(path))?.size ?? 0 });
  }
  return listed;
}

async function listFolder(files: ConfinedFiles, path: string, depth: number): Promise<ListedFile[]> {
  const folder: ListedFile = { path: `${path}/`, bytes: null };
  if (depth > 1) return [folder, ...(await listTree(files, path, depth - 1))];
  const deeper = (await files.list(path)).length;
  return [deeper === 0 ? folder : { ...folder, deeper }];
}

/** Renders a line each: `output/main.md 120 bytes`, `scratch/deep/ (3 entries)`. */
export function renderTree(listed: readonly ListedFile[]): string {
  return listed
    .map(({ path, bytes, deeper }) => {
      if (bytes !== null) return `${path}  ${bytes} byte${bytes === 1 ? '' : 's'}`;
      return deeper === undefined ? path : `${path}  (${deeper} ${deeper === 1 ? 'entry' : 'entries'})`;
    })
    .join('\n');
}
