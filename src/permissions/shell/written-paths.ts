import { posix } from 'node:path';
import { writtenByAwk, writtenBySed } from './sed-and-awk.ts';
import { programName } from './shell-word.ts';
import type { ShellRedirection, SimpleCommand } from './simple-command.ts';

/** The arguments of a program that name files it creates, changes or deletes. */
interface Writer {
  /** Operands that are such files; `last`: a file, or the folder for the others. */
  readonly operands?: 'all' | 'last' | 'second';
  /** Letters of options whose value is such a file, anywhere in a cluster. */
  readonly letters?: string;
  /** Such long options, without dashes. */
  readonly long?: readonly string[];
  /** Keys of words such as `of=path`. */
  readonly keys?: readonly string[];
  /** Single-dash options of several letters (`-fprint`) followed by such a file. */
  readonly words?: readonly string[];
  /** Writes only with a matching option. */
  readonly only?: RegExp;
  /**
   * True if the program otherwise reads: its file counts as a redirection, which needs its own
   * allowance.
   */
  readonly reader?: boolean;
}

const all: Writer = { operands: 'all' };

const writers: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ...'tee touch mkdir rm rmdir unlink truncate shred chmod chown chgrp mknod mkfifo vi vim nvim nano emacs ed ex gzip gunzip bzip2 bunzip2 xz unxz zstd dos2unix unix2dos setfattr chattr'
    .split(' ')
    .map((name): [string, Writer] => [name, all]),
  ['mv', { operands: 'all', letters: 't', long: ['target-directory'] }],
  ['patch', { operands: 'all', letters: 'or', long: ['output', 'reject-file'] }],
  ...['cp', 'install', 'ln'].map((name): [string, Writer] => [
    name,
    { operands: 'last', letters: 't', long: ['target-directory'] },
  ]),
  ...['rsync', 'scp'].map((name): [string, Writer] => [name, { operands: 'last' }]),
  ['link', { operands: 'second' }],
  ['dd', { keys: ['of'] }],
  ['sort', { letters: 'o', long: ['output'], reader: true }],
  ['shuf', { letters: 'o', long: ['output'], reader: true }],
  ['tree', { letters: 'o', long: ['output'], reader: true }],
  ['base64', { letters: 'o', long: ['output'], reader: true }],
  ['diff', { long: ['output'], reader: true }],
  ['iconv', { letters: 'o', long: ['output'], reader: true }],
  ['xmllint', { long: ['output'], reader: true }],
  ['uniq', { operands: 'second', reader: true }],
  ['xxd', { operands: 'second', reader: true }],
  ['find', { words: ['-fprint', '-fprint0', '-fprintf', '-fls'], reader: true }],
  ['git', { long: ['output'], reader: true }],
  ['yq', { operands: 'all', only: /^(-[a-zA-Z]*i|--inplace|--in-place)/, reader: true }],
  ['perl', { operands: 'all', only: /^-[a-zA-Z0-9]*i/ }],
  ['ruby', { operands: 'all', only: /^-[a-zA-Z0-9]*i/ }],
  [
    'curl',
    { letters: 'oDc', long: ['output', 'dump-header', 'cookie-jar', 'output-dir', 'trace', 'stderr'] },
  ],
  [
    'wget',
    { letters: 'OoaP', long: ['output-document', 'output-file', 'append-output', 'directory-prefix'] },
  ],
  ['time', { letters: 'o', long: ['output'] }],
  ['strace', { letters: 'o' }],
  ['unzip', { letters: 'd' }],
  [
    'tar',
    {
      letters: 'fC',
      long: ['file', 'directory'],
      only: /^(-[a-zA-Z]*[cxru]|--(create|extract|get|append|update)|[a-zA-Z]*[cxru])/,
    },
  ],
  ...[
    'gcc',
    'g++',
    'cc',
    'clang',
    'clang++',
    'ld',
    'as',
    'rustc',
    'go',
    'pandoc',
    'openssl',
    'tsc',
    'esbuild',
  ].map((name): [string, Writer] => [
    name,
    { letters: 'o', long: ['output', 'out', 'outfile', 'outFile', 'outDir'] },
  ]),
]);

const gitWriters = /^(mv|rm|checkout|restore|apply|am|init|clone|worktree)$/;

/**
 * Returns the visible files that a simple command would write, as redirections. Obvious writes to
 * protected paths are then rejected early; the sandbox and the publisher catch the rest. `reader`
 * is true for a program that otherwise reads, whose file needs an allowance like `>`.
 */
export function writtenFiles(command: SimpleCommand): (ShellRedirection & { readonly reader: boolean })[] {
  const [program, ...rest] = command.words;
  const name = programName(program?.value ?? '');
  const values = rest.map((word) => word.value);
  const file = (value: string | null | undefined, source: string, reader: boolean) => ({
    paths: value === null || value === undefined ? null : placed(value, command.folders),
    source,
    access: 'write' as const,
    reader,
  });
  const shown = rest.map((word) => word.value ?? word.source);
  if (name === 'sed' || name === 'gsed') {
    const { files, asked } = writtenBySed(shown);
    return [...files.map((one) => file(one, one, false)), ...asked.map((one) => file(one, one, true))];
  }
  if (/^[gmn]?awk$/.test(name)) return writtenByAwk(shown).map((one) => file(one, one, true));
  const writer = writers.get(name);
  if (writer === undefined) return [];
  if (writer.only !== undefined && !values.some((value) => value !== null && writer.only?.test(value)))
    return [];
  const found: { value: string | null; source: string; option: boolean }[] = [];
  const operands: { value: string | null; source: string }[] = [];
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index];
    if (word === undefined) break;
    const given = optionValue(writer, word.value ?? word.source);
    const next = rest[index + 1];
    if (given === 'next') {
      if (next !== undefined) found.push({ value: next.value, source: next.source, option: true });
      index++;
    } else if (given !== null)
      found.push({ value: word.value === null ? null : given, source: given, option: true });
    else if (!(word.value ?? word.source).startsWith('-')) operands.push(word);
  }
  if (name === 'git' && gitWriters.test(operands[0]?.value ?? ''))
    return [...found, ...operands.slice(1)].map((one) => file(one.value, one.source, 'option' in one));
  const named =
    writer.operands === 'all' ? operands : writer.operands === 'second' ? operands.slice(1, 2) : [];
  const into = writer.operands === 'last' ? intoLast(operands, found, name) : [];
  return [...(into.length > 0 ? [] : found), ...named, ...into].map((one) =>
    file(one.value, one.source, writer.reader === true),
  );
}

/**
 * Returns the value of an option that names a file; `next` if it is the next word; null for other
 * words.
 */
function optionValue(writer: Writer, text: string): string | null {
  const key = /^([a-z]+)=(.*)$/s.exec(text);
  if (key !== null && writer.keys?.includes(key[1] ?? '')) return key[2] ?? '';
  if (writer.words?.includes(text)) return 'next';
  const long = /^--?([A-Za-z][A-Za-z-]+)(?:=(.*))?$/s.exec(text);
  if (long !== null) {
    const name = long[1] ?? '';
    const matches = writer.long?.some(
      (one) => one === name || (text.startsWith('--') && name.length > 2 && one.startsWith(name)),
    );
    if (matches) return long[2] ?? 'next';
  }
  if (writer.letters === undefined || !/^-[^-]/.test(text)) return null;
  const letter = new RegExp(`^-[A-Za-z0-9]*?[${writer.letters}](.*)$`, 's').exec(text);
  return letter === null ? null : letter[1] === '' ? 'next' : (letter[1] ?? null);
}

/** Returns the targets of `cp a b c`: the last word as a file, or as the folder for the others. */
function intoLast(
  operands: readonly { value: string | null; source: string }[],
  folders: readonly { value: string | null; source: string }[],
  name: string,
): { value: string | null; source: string }[] {
  const target = folders[0] ?? (operands.length > 1 ? operands.at(-1) : undefined);
  if (target === undefined)
    // `ln -s target` creates a link of the same name here.
    return name === 'ln'
      ? operands.map((one) => ({ ...one, value: one.value === null ? null : posix.basename(one.value) }))
      : [];
  const sources = folders[0] === undefined ? operands.slice(0, -1) : operands;
  return [
    target,
    ...sources.flatMap(({ value }) =>
      value === null || target.value === null || /^(\.{0,2}\/?)$/.test(value)
        ? []
        : [{ value: posix.join(target.value, posix.basename(value)), source: target.source }],
    ),
  ];
}

function placed(value: string, folders: readonly string[] | null): readonly string[] | null {
  if (value.startsWith('/')) return [posix.normalize(value)];
  return folders?.map((folder) => posix.join(folder, value)) ?? null;
}
