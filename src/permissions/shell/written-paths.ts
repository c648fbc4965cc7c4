import { posix } from 'node:path';
import { nameTable } from './name-table.ts';
import { writtenByAwk, writtenBySed } from './sed-and-awk.ts';
import { programName, unknownWord } from './shell-word.ts';
import type { ShellRedirection, ShellWord, SimpleCommand } from './simple-command.ts';

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

const writers = nameTable<Writer>({
  'tee touch mkdir rm rmdir unlink truncate shred chmod chown chgrp mknod mkfifo vi vim nvim nano emacs ed ex gzip gunzip bzip2 bunzip2 xz unxz zstd dos2unix unix2dos setfattr chattr':
    all,
  mv: { operands: 'all', letters: 't', long: ['target-directory'] },
  patch: { operands: 'all', letters: 'or', long: ['output', 'reject-file'] },
  'cp install ln': { operands: 'last', letters: 't', long: ['target-directory'] },
  'rsync scp': { operands: 'last' },
  link: { operands: 'second' },
  dd: { keys: ['of'] },
  'sort shuf tree base64 iconv': { letters: 'o', long: ['output'], reader: true },
  'diff xmllint git': { long: ['output'], reader: true },
  'uniq xxd': { operands: 'second', reader: true },
  find: { words: ['-fprint', '-fprint0', '-fprintf', '-fls'], reader: true },
  yq: { operands: 'all', only: /^(-[a-zA-Z]*i|--inplace|--in-place)/, reader: true },
  'perl ruby': { operands: 'all', only: /^-[a-zA-Z0-9]*i/ },
  curl: { letters: 'oDc', long: ['output', 'dump-header', 'cookie-jar', 'output-dir', 'trace', 'stderr'] },
  wget: { letters: 'OoaP', long: ['output-document', 'output-file', 'append-output', 'directory-prefix'] },
  time: { letters: 'o', long: ['output'] },
  strace: { letters: 'o' },
  unzip: { letters: 'd' },
  tar: {
    letters: 'fC',
    long: ['file', 'directory'],
    only: /^(-[a-zA-Z]*[cxru]|--(create|extract|get|append|update)|[a-zA-Z]*[cxru])/,
  },
  'gcc g++ cc clang clang++ ld as rustc go pandoc openssl tsc esbuild': {
    letters: 'o',
    long: ['output', 'out', 'outfile', 'outFile', 'outDir'],
  },
});

const gitWriters = /^(mv|rm|checkout|restore|apply|am|init|clone|worktree)$/;

/**
 * Returns the visible files that a simple command would write, as redirections. Obvious writes to
 * protected paths are then rejected early; the sandbox and the publisher catch the rest. `reader`
 * is true for a program that otherwise reads, whose file needs an allowance like `>`.
 */
export function writtenFiles(command: SimpleCommand): (ShellRedirection & { readonly reader: boolean })[] {
  const [program, ...rest] = command.words;
  const name = programName(program?.value ?? '');
  const file = ({ value, source }: NamedFile, reader: boolean) => ({
    paths: value === null ? null : placed(value, command.folders),
    source,
    access: 'write' as const,
    reader,
  });
  const literal = (path: string) => ({ value: path, source: path });
  const texts = rest.map((word) => word.value ?? word.source);
  if (name === 'sed' || name === 'gsed') {
    const { files, byScript } = writtenBySed(texts);
    return [
      ...files.map((one) => file(literal(one), false)),
      ...byScript.map((one) => file(literal(one), true)),
    ];
  }
  if (/^[gmn]?awk$/.test(name)) return writtenByAwk(texts).map((one) => file(literal(one), true));
  const writer = writers.get(name);
  if (writer === undefined) return [];
  const { only } = writer;
  if (only !== undefined && !rest.some(({ value }) => value !== null && only.test(value))) return [];
  const { found, operands } = namedFiles(writer, rest);
  if (name === 'git' && gitWriters.test(operands[0]?.value ?? ''))
    return [...found.map((one) => file(one, true)), ...operands.slice(1).map((one) => file(one, false))];
  const into = writer.operands === 'last' ? intoLast(operands, found, name) : [];
  return [...(into.length > 0 ? [] : found), ...operandFiles(writer, operands), ...into].map((one) =>
    file(one, writer.reader === true),
  );
}

/** A file named by a word; `value` is null if bash computes it. */
type NamedFile = Pick<ShellWord, 'value' | 'source'>;

/** Splits the words after a program into the files of its options, and its operands. */
function namedFiles(
  writer: Writer,
  rest: readonly ShellWord[],
): { readonly found: readonly NamedFile[]; readonly operands: readonly NamedFile[] } {
  const found: NamedFile[] = [];
  const operands: NamedFile[] = [];
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index] ?? unknownWord;
    const text = word.value ?? word.source;
    const given = optionValue(writer, text);
    if (given === 'next') {
      const next = rest[++index];
      if (next !== undefined) found.push(next);
    } else if (given !== null) found.push({ value: word.value === null ? null : given, source: given });
    else if (!text.startsWith('-')) operands.push(word);
  }
  return { found, operands };
}

function operandFiles({ operands: which }: Writer, operands: readonly NamedFile[]): readonly NamedFile[] {
  if (which === 'all') return operands;
  return which === 'second' ? operands.slice(1, 2) : [];
}

/**
 * Returns the value of an option that names a file; `next` if it is the next word; null for other
 * words.
 */
function optionValue(writer: Writer, text: string): string | null {
  const [, key, value = ''] = /^([a-z]+)=(.*)$/s.exec(text) ?? [];
  if (key !== undefined && writer.keys?.includes(key)) return value;
  if (writer.words?.includes(text)) return 'next';
  const [, name = '', attached = 'next'] = /^--?([A-Za-z][A-Za-z-]+)(?:=(.*))?$/s.exec(text) ?? [];
  const isLong = (one: string) =>
    one === name || (text.startsWith('--') && name.length > 2 && one.startsWith(name));
  if (name !== '' && writer.long?.some(isLong)) return attached;
  if (writer.letters === undefined || !/^-[^-]/.test(text)) return null;
  const letter = new RegExp(`^-[A-Za-z0-9]*?[${writer.letters}](.*)$`, 's').exec(text);
  return letter === null ? null : letter[1] || 'next';
}

/** Returns the targets of `cp a b c`: the last word as a file, or as the folder for the others. */
function intoLast(operands: readonly NamedFile[], folders: readonly NamedFile[], name: string): NamedFile[] {
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
