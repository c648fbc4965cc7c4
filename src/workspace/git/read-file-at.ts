import type { OwnGit } from './own-git.ts';
import { gitText } from './run-git.ts';

/** Returns the text of a file in a commit; null if the commit has no regular file there. */
export async function readFileAt(place: OwnGit, sha: string, path: string): Promise<string | null> {
  const entry = await gitText(['--literal-pathspecs', 'ls-tree', '--full-tree', sha, '--', path], place);
  // Mode 100 is a regular file, 120 a link, 160 a submodule.
  const object = /^100\d+ blob ([0-9a-f]+)\t/.exec(entry)?.[1];
  return object === undefined ? null : gitText(['cat-file', 'blob', object], place);
}
