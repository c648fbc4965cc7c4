import { append } from '../../contract/lists.ts';
import type { ConfinedFiles } from '../../workspace/files/confined-files.ts';

/** One entry of a listing; a folder's path ends with `/`. */
export interface ListedFile {
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
    if (kind === 'directory') {
      const below = depth > 1 ? await listTree(files, path, depth - 1) : [];
      const deeper = depth > 1 ? 0 : (await files.list(path)).length;
      append(listed, [{ path: `${path}/`, bytes: null, ...(deeper === 0 ? {} : { deeper }) }, ...below]);
    } else if (kind === 'file') {
      listed.push({ path, bytes: (await files.stat(path))?.size ?? 0 });
    }
  }
  return listed;
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
