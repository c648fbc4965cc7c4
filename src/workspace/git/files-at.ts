import { chmod, mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { OwnGit } from './own-git.ts';
import { readObjects } from './read-objects.ts';
import { gitText, runGit } from './run-git.ts';

/** Size limit of one file, and of all files of one call together. */
const largestFile = 16 * 2 ** 20;

/**
 * Returns file contents of a commit from git's objects, independently of the work tree. Omits paths
 * that are not a regular file, lead upwards, or whose object is missing in this clone. Also omits
 * files beyond 16 MiB, each or in sum.
 */
export async function filesAt(
  git: OwnGit,
  sha: string,
  paths: readonly string[],
): Promise<Map<string, Buffer>> {
  const wanted = new Map(paths.map((requested) => [path.posix.normalize(requested), requested]));
  const names = [...wanted.keys()].filter(isBelow);
  if (names.length === 0) return new Map();
  const { stdout } = await runGit(
    ['--literal-pathspecs', 'ls-tree', '-z', '-l', '--full-tree', sha, '--', ...names],
    git,
  );
  const objects = new Map<string, string>();
  let size = 0;
  for (const line of stdout.toString('utf8').split('\0')) {
    // Mode 100 is a regular file, 120 a link, 160 a submodule.
    const [, object, bytes, name] = /^100\d+ blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(line) ?? [];
    if (object === undefined || name === undefined || size + Number(bytes) > largestFile) continue;
    size += Number(bytes);
    objects.set(name, object);
  }
  const contents = await readObjects(git, [...objects.values()]);
  const found = new Map<string, Buffer>();
  for (const [name, object] of objects) {
    const requested = wanted.get(name);
    // A partial clone lacks objects.
    const bytes = contents.get(object);
    if (requested !== undefined && bytes !== undefined) found.set(requested, bytes);
  }
  return found;
}

/**
 * Writes a file below `folder`, outside any checkout, readable and executable for all and writable
 * for no one. Returns its absolute path. Throws if `file` leads out of `folder` or exists.
 */
export async function storeFile(folder: string, file: string, bytes: Buffer): Promise<string> {
  if (!isBelow(path.posix.normalize(file))) throw new Error(`${file} does not lie below ${folder}.`);
  const target = path.join(folder, file);
  await mkdir(path.dirname(target), { recursive: true, mode: 0o755 });
  await writeFile(target, bytes, { flag: 'wx' });
  // Another user may run it, so the umask is overridden.
  await chmod(target, 0o555);
  return target;
}

function isBelow(normal: string): boolean {
  return (
    normal !== '.' && !normal.startsWith('/') && !normal.split('/').includes('..') && !normal.endsWith('/')
  );
}

/** Returns the text of a file in a commit; null if the commit has no regular file there. */
export async function readFileAt(git: OwnGit, sha: string, path: string): Promise<string | null> {
  const entry = await gitText(['--literal-pathspecs', 'ls-tree', '--full-tree', sha, '--', path], git);
  // Mode 100 is a regular file, 120 a link, 160 a submodule.
  const object = /^100\d+ blob ([0-9a-f]+)\t/.exec(entry)?.[1];
  return object === undefined ? null : gitText(['cat-file', 'blob', object], git);
}
