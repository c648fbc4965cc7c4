import { chmod, mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { OwnGit } from './own-git.ts';
import { readObjects } from './read-objects.ts';
import { runGit } from './run-git.ts';

/** Bytes that one file may have, and all files of one call together. */
const largestFile = 16 * 2 ** 20;

/**
 * The contents of files as a commit has them, from git's objects alone: what lies in the work tree plays no part. Left
 * out are paths that are no regular file there (links, folders, submodules), that lead upwards, or whose content this
 * clone lacks, and files that are larger than 16 MiB; once the files together are, so are the rest.
 */
export async function filesAt(
  place: OwnGit,
  sha: string,
  paths: readonly string[],
): Promise<Map<string, Buffer>> {
  const wanted = new Map(paths.map((given) => [path.posix.normalize(given), given]));
  const names = [...wanted.keys()].filter(isBelow);
  if (names.length === 0) return new Map();
  const { stdout } = await runGit(
    ['--literal-pathspecs', 'ls-tree', '-z', '-l', '--full-tree', sha, '--', ...names],
    place,
  );
  const objects = new Map<string, string>();
  let size = 0;
  for (const line of stdout.toString('utf8').split('\0')) {
    // gitrepository-layout has no name for it, but 100 is a regular file, 120 a link, 160 a submodule.
    const [, object, bytes, name] = /^100\d+ blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(line) ?? [];
    if (object === undefined || name === undefined || size + Number(bytes) > largestFile) continue;
    size += Number(bytes);
    objects.set(name, object);
  }
  const contents = await readObjects(place, [...objects.values()]);
  const found = new Map<string, Buffer>();
  for (const [name, object] of objects) {
    const given = wanted.get(name);
    // A partial clone does not have every object.
    const bytes = contents.get(object);
    if (given !== undefined && bytes !== undefined) found.set(given, bytes);
  }
  return found;
}

/**
 * Writes a file to a path below `folder`, which is none of the checkout's, readable and executable for everybody and
 * writable for nobody. Returns its absolute path. Throws where `file` leads out of `folder`, or is there already.
 */
export async function keepFile(folder: string, file: string, bytes: Buffer): Promise<string> {
  if (!isBelow(path.posix.normalize(file))) throw new Error(`${file} does not lie below ${folder}.`);
  const target = path.join(folder, file);
  await mkdir(path.dirname(target), { recursive: true, mode: 0o755 });
  await writeFile(target, bytes, { flag: 'wx' });
  // Whoever runs it may be another user; the umask is not asked.
  await chmod(target, 0o555);
  return target;
}

function isBelow(normal: string): boolean {
  return (
    normal !== '.' && !normal.startsWith('/') && !normal.split('/').includes('..') && !normal.endsWith('/')
  );
}
