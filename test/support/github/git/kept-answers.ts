import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const commands = new Set([
  'cat-file',
  'diff',
  'diff-tree',
  'format-patch',
  'log',
  'ls-tree',
  'merge-base',
  'rev-list',
  'rev-parse',
]);
const object = /^\^?[0-9a-f]{40}(\.{2,3}[0-9a-f]{40}|\^\{(commit|tree)\})?$/;
/** Arguments that make an answer depend on refs, on the time or on more than the arguments. */
const open = /^--?(all|branches|tags|remotes|glob|exclude|stdin|batch|since|until|after|before|reflog|g$)/;

/** True where git's answer can never change: the arguments name objects by full ids alone. */
export function isFixed([command = '', ...args]: readonly string[]): boolean {
  const end = args.indexOf('--');
  const before = end < 0 ? args : args.slice(0, end);
  const names = before.filter((arg) => !arg.startsWith('-'));
  const wanted =
    command === 'cat-file' && /^(blob|tree|commit)$/.test(names[0] ?? '') ? names.slice(1) : names;
  return (
    commands.has(command) &&
    wanted.length > 0 &&
    wanted.every((name) => object.test(name)) &&
    !before.some((arg) => open.test(arg))
  );
}

/**
 * The cached answer for these arguments, undefined if there is none. Answers are files in the
 * repository: reading one takes a thousandth of the time of a process, which starts slowly from a
 * test worker.
 */
export const keptAnswer = (directory: string, args: readonly string[]): Promise<Buffer | undefined> =>
  readFile(fileOf(directory, args)).catch(() => undefined);

/** Keeps an answer. */
export async function keepAnswer(directory: string, args: readonly string[], answer: Buffer): Promise<void> {
  const draft = join(directory, 'answers', randomUUID());
  await mkdir(join(directory, 'answers'), { recursive: true });
  await writeFile(draft, answer);
  await rename(draft, fileOf(directory, args));
}

const fileOf = (directory: string, args: readonly string[]) =>
  join(directory, 'answers', createHash('sha1').update(args.join('\0')).digest('hex'));
