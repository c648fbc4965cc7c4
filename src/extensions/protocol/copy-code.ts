import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../workspace/files/confine-path.ts';
import { storeFile } from '../../workspace/git/files-at.ts';
import { largestTrustedFile, type TrustedTree } from '../../workspace/git/trusted-tree.ts';
import { isOfSystem, isScript, locateFile } from '../../workspace/storage/stored-programs.ts';

/** Bounds on the copied files of one program. */
const deepest = 6;
const mostFiles = 1_000;

/** A program to copy; `folder` is the base of relative paths, null for the trusted commit. */
export interface CodeToCopy {
  readonly command: readonly string[];
  readonly files: readonly string[];
  readonly folder: string | null;
}

/** Copied code: the command, the folder to start it in, and the operator's folders to mount. */
export interface CopiedCode {
  readonly argv: readonly string[];
  readonly folder: string;
  readonly shown: readonly string[];
}

/**
 * Copies a program's files to `target`, outside the checkout, as the trusted commit has them. For
 * each word with a slash that is no option, that is everything beside and below the file; at the
 * top only the file itself. The operator's own files stay in place, and their folders are mounted.
 * A problem is a clause with the program as its subject.
 */
export async function copyCode(
  { command, files, folder }: CodeToCopy,
  place: Place & { readonly trusted: () => Promise<TrustedTree | null> },
): Promise<CopiedCode | { readonly problem: string }> {
  await mkdir(place.target, { recursive: true, mode: 0o755 });
  const located = await locateWords({ command, files, folder }, place);
  if ('problem' in located) return located;
  const { wanted } = located;
  const copied = {
    argv: located.argv.slice(0, command.length),
    folder: place.target,
    shown: located.shown,
  };
  if (wanted.length === 0) return copied;
  const problem = await copyWanted(wanted, await place.trusted(), place.target);
  if (problem !== null) return { problem };
  // Words that are no files of the repository stay unchanged.
  const isCopied = await Promise.all(copied.argv.map(isThere));
  return {
    ...copied,
    argv: copied.argv.map((word, index) => (isCopied[index] === true ? word : (command[index] ?? word))),
  };
}

interface Place {
  readonly target: string;
  readonly root: string;
  /** Folders with more than a program's files: none may be mounted, nor one above. */
  readonly closed: readonly string[];
}

/** Locates all words and files: those to copy, and the folders to mount for the others. */
async function locateWords(
  { command, files, folder }: CodeToCopy,
  place: Place,
): Promise<
  | { readonly argv: string[]; readonly shown: string[]; readonly wanted: readonly Wanted[] }
  | { readonly problem: string }
> {
  const argv: string[] = [];
  const shown = new Set<string>();
  const wanted: Wanted[] = [];
  for (const [index, word] of [...command, ...files].entries()) {
    const alone = index >= command.length;
    const needed = alone || index === 0 || isScript(word);
    const located = await locateWord({ word, alone, needed }, folder, place);
    if ('problem' in located) return located;
    argv.push(located.word);
    if (located.mounted !== null) shown.add(located.mounted);
    if (located.inside !== null) wanted.push({ path: located.inside, word, alone, needed });
  }
  return { argv, shown: [...shown], wanted };
}

/** Locates one word: its path as copied or mounted, and the file to copy or the folder to mount. */
async function locateWord(
  named: Omit<Wanted, 'path'>,
  folder: string | null,
  { target, root, closed }: Place,
): Promise<
  | { readonly word: string; readonly inside: string | null; readonly mounted: string | null }
  | { readonly problem: string }
> {
  const { word, alone } = named;
  const found = alone || namesFile(word) ? await locate(word, folder, root) : null;
  if (found === null) return { word, inside: null, mounted: null };
  if ('inside' in found)
    return { word: path.join(target, found.inside), inside: found.inside, mounted: null };
  const mounted = await folderToMount(found.outside, named, closed);
  if (mounted === null) return { word, inside: null, mounted };
  return typeof mounted === 'object' ? mounted : { word: found.outside, inside: null, mounted };
}

/** The folder to mount for a file of the operator's; null if the word may name none. */
async function folderToMount(
  file: string,
  { word, alone, needed }: Omit<Wanted, 'path'>,
  closed: readonly string[],
): Promise<string | null | { readonly problem: string }> {
  if (!(await isThere(file))) return needed ? { problem: `cannot be run: there is no ${file}` } : null;
  const folder = alone ? file : folderAround(file);
  return closed.some((one) => isInside(folder, one)) ? { problem: tooWide(word, folder) } : folder;
}

/** The folder to mount for a program: its own, or all packages around an installed one. */
function folderAround(file: string): string {
  const packages = file.indexOf('/node_modules/');
  return packages === -1 ? path.dirname(file) : file.slice(0, packages + '/node_modules'.length);
}

/** A file or folder of the repository; `alone` without what lies beside it. */
interface Wanted {
  readonly path: string;
  readonly word: string;
  readonly alone: boolean;
  readonly needed: boolean;
}

/** Copies files of the trusted commit; what keeps the program from being run, else null. */
async function copyWanted(
  wanted: readonly Wanted[],
  tree: TrustedTree | null,
  target: string,
): Promise<string | null> {
  const paths = new Set<string>();
  for (const { path: file, word, alone } of wanted) {
    const beside = path.dirname(file);
    const below = await tree?.below(alone || beside === '.' ? file : beside, deepest, mostFiles + 1);
    for (const one of below ?? []) paths.add(one.path);
    paths.add(file);
    if (paths.size > mostFiles)
      return `cannot be run: more than ${mostFiles} files are next to ${word}; put it into a folder of its own`;
  }
  const contents = (await tree?.read([...paths])) ?? new Map<string, Buffer>();
  const there = (file: string) =>
    contents.has(file) || [...contents.keys()].some((one) => one.startsWith(`${file}/`));
  const missing = wanted.find(({ path: file, needed }) => needed && !there(file));
  if (missing !== undefined)
    return `cannot be run: the trusted commit has no file ${missing.word} of up to ${largestTrustedFile} bytes; commit it there`;
  for (const [file, bytes] of contents) await storeFile(target, file, bytes);
  return null;
}

const tooWide = (word: string, folder: string): string =>
  `cannot be run: ${word} lies in ${folder}, which holds more than this program; put it into a folder of its own`;

/**
 * Locates a file of a program: its path in the repository, or elsewhere on this machine. Null for
 * one of the system.
 */
async function locate(
  word: string,
  folder: string | null,
  root: string,
): Promise<{ readonly inside: string } | { readonly outside: string } | null> {
  if (isOfSystem(word)) return null;
  if (folder === null && !path.isAbsolute(word))
    return { inside: path.posix.normalize(word).replace(/\/$/, '') };
  return locateFile(path.resolve(folder ?? root, word), root);
}

const namesFile = (word: string): boolean => word.includes('/') && !/^-|^\w+:\/\//.test(word);

const isThere = async (file: string): Promise<boolean> => (await stat(file).catch(() => null)) !== null;
