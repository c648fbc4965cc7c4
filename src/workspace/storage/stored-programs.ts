import { readFile, realpath, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { isInside } from '../files/confine-path.ts';
import { storeFile } from '../git/files-at.ts';

/** Returns files of the trusted commit by path: `filesAt`, or a counterpart that asks GitHub. */
export type ReadTrusted = (paths: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>;

/** A program line with its files and base folder; null is the trusted commit. */
interface ProgramToStore {
  readonly run: string;
  readonly files: readonly string[];
  readonly folder: string | null;
}

/** A runnable program: its words, and a start folder that holds only its files. */
export interface StoredProgram {
  readonly words: readonly string[];
  readonly folder: string;
}

interface ProgramTarget {
  /** Folder for the files. */
  readonly folder: string;
  /** Checkout. */
  readonly root: string;
  readonly trusted: ReadTrusted;
}

/** Size limit of a local program of the operator in bytes. */
const largestProgram = 64 * 2 ** 20;

/**
 * Writes the files of a program into `target`, a folder outside the checkout, in the trusted
 * commit's version. A file in the checkout (`root`) comes from that commit too. Each word with a
 * slash that is not an option names a file; a bare name is the system's.
 *
 * Returns a problem, as a clause about the program, if the program or one of `files` is missing.
 */
export async function storeProgram(
  program: ProgramToStore,
  target: ProgramTarget,
): Promise<StoredProgram | { readonly problem: string }> {
  const words = program.run.split(' ');
  const first = words[0] ?? '';
  const named = words.filter((word) => word.includes('/') && !word.startsWith('/') && !/^-|:\/\//.test(word));
  const stored = await storeNamed([...named, ...program.files], program.folder, target);
  // A missing script would fail with an interpreter error that does not mention commits.
  const needed = [...program.files, ...named.filter((word) => word === first || isScript(word))];
  const missing = needed.find((file) => !stored.has(path.posix.normalize(file)));
  if (missing !== undefined) return { problem: missingFile(missing, program.folder) };
  const lacking = await moveInside(words, stored, target);
  if (lacking !== null) return { problem: missingFile(lacking, program.folder) };
  if (words[0] !== first || !first.startsWith('/') || isOfSystem(first) || program.folder === null)
    return { words, folder: target.folder };
  const own = await contentOf(first, program.folder, target);
  if (own === null) return { problem: missingFile(first, program.folder) };
  const copy = await storeFile(target.folder, `program/${path.basename(first)}`, own);
  return { words: [copy, ...words.slice(1)], folder: target.folder };
}

/** Writes the files that exist, by normal path. Returns their paths. */
async function storeNamed(
  files: readonly string[],
  folder: string | null,
  target: ProgramTarget,
): Promise<Set<string>> {
  const stored = new Set<string>();
  for (const file of new Set(files.map((one) => path.posix.normalize(one)))) {
    const bytes = await contentOf(file, folder, target);
    if (bytes === null) continue;
    await storeFile(target.folder, file, bytes);
    stored.add(file);
  }
  return stored;
}

/**
 * Replaces absolute paths into the checkout by copies from the trusted commit. Returns the first
 * path that the commit lacks, else null.
 */
async function moveInside(
  words: string[],
  stored: Set<string>,
  target: ProgramTarget,
): Promise<string | null> {
  for (const [index, word] of words.entries()) {
    const found = word.startsWith('/') ? await locateFile(word, target.root) : null;
    if (found === null || !('inside' in found) || (index > 0 && (await isFolder(word)))) continue;
    const { inside } = found;
    const bytes = (await target.trusted([inside])).get(inside) ?? null;
    if (bytes === null) return inside;
    if (!stored.has(inside)) await storeFile(target.folder, inside, bytes);
    stored.add(inside);
    words[index] = path.join(target.folder, inside);
  }
  return null;
}

function missingFile(file: string, folder: string | null): string {
  return folder === null
    ? `cannot be run: the base branch has no regular file ${file}; commit it there`
    : `cannot be run: there is no regular file ${file} from ${folder} or, in the checkout, in its last commit; commit it there`;
}

async function contentOf(
  file: string,
  folder: string | null,
  { root, trusted }: { readonly root: string; readonly trusted: ReadTrusted },
): Promise<Buffer | null> {
  if (folder === null) return (await trusted([file])).get(file) ?? null;
  const target = await locateFile(path.resolve(folder, file), root);
  if ('inside' in target) return (await trusted([target.inside])).get(target.inside) ?? null;
  const found = await stat(target.outside).catch(() => null);
  return found?.isFile() === true && found.size <= largestProgram ? readFile(target.outside) : null;
}

const isFolder = async (target: string): Promise<boolean> =>
  (await stat(target).catch(() => null))?.isDirectory() === true;

/** True for a word that can only be a file: it has an extension and is not a pattern. */
export const isScript = (word: string): boolean => /^[^*?[\]{}]+\.[a-z][a-z0-9]{0,5}$/i.test(word);

/** True for files in system folders, which every sandbox mounts and no run can write. */
export const isOfSystem = (file: string): boolean =>
  /^\/(usr|bin|sbin|lib|lib64)\//.test(path.normalize(file));

/**
 * Locates a file of a command: in the checkout by path from the top, since a run may have written
 * it. Elsewhere it is located by real path. A file counts as inside by its path or by its resolved
 * links.
 */
export async function locateFile(
  absolute: string,
  root: string,
): Promise<{ readonly inside: string } | { readonly outside: string }> {
  const real = await realpath(absolute).catch(() => absolute);
  const inside = [path.resolve(absolute), real].find((one) => isInside(root, one));
  return inside === undefined ? { outside: real } : { inside: path.relative(root, inside) };
}
