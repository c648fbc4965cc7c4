import type { ShellWord } from './simple-command.ts';

/** An option that makes a program run another, given as a command line or its first words. */
interface ProgramOption {
  /** One letter, which may be in a cluster. */
  readonly letter?: string;
  /** A long name without dashes. Abbreviations match. */
  readonly long?: string;
  /** A prefix of the value before the command: `exec=`. */
  readonly after?: string;
}

/** Programs with such options. `sh` reads the commands. */
const table: Readonly<Record<string, readonly ProgramOption[]>> = {
  sort: [{ long: 'compress-program' }],
  rg: [{ long: 'pre' }, { long: 'hostname-bin' }],
  tar: [
    { letter: 'I', long: 'use-compress-program' },
    { long: 'to-command' },
    { long: 'checkpoint-action', after: 'exec=' },
    { letter: 'F', long: 'info-script' },
    { long: 'new-volume-script' },
    { long: 'rsh-command' },
    { long: 'rmt-command' },
  ],
  cpio: [{ long: 'rsh-command' }],
  split: [{ long: 'filter' }],
  man: [
    { letter: 'P', long: 'pager' },
    { letter: 'H', long: 'html' },
  ],
  rsync: [{ letter: 'e', long: 'rsh' }, { long: 'rsync-path' }],
  sdiff: [{ long: 'diff-program' }],
  diff3: [{ long: 'diff-program' }],
  zip: [{ long: 'unzip-command' }, { letter: 'TT' }],
  tcpdump: [{ letter: 'z' }],
  scp: [{ letter: 'S' }, { letter: 'o', after: 'ProxyCommand=' }],
  sftp: [{ letter: 'S' }, { letter: 'o', after: 'ProxyCommand=' }],
  script: [{ letter: 'c', long: 'command' }],
  nc: [{ letter: 'e' }, { letter: 'c' }],
  ncat: [
    { letter: 'e', long: 'exec' },
    { letter: 'c', long: 'sh-exec' },
  ],
  bat: [{ long: 'pager' }],
  ag: [{ long: 'pager' }],
  ack: [{ long: 'pager' }],
  delta: [{ long: 'pager' }],
  wget: [{ long: 'use-askpass' }],
  fzf: [{ long: 'preview' }],
  nodemon: [{ letter: 'x', long: 'exec' }],
  gdb: [{ long: 'eval-command' }],
  mapfile: [{ letter: 'C' }],
  readarray: [{ letter: 'C' }],
  compgen: [{ letter: 'C' }],
  complete: [{ letter: 'C' }],
  bind: [{ letter: 'x' }],
};

/**
 * Returns the command lines in a program's options, such as `sort --compress-program`; null for a
 * computed one. A letter matches anywhere in a cluster: a false match is only asked about, a missed
 * one would be unsafe.
 */
export function optionPrograms(name: string, rest: readonly ShellWord[]): readonly (string | null)[] {
  const known = Object.hasOwn(table, name) ? (table[name] ?? []) : [];
  if (known.length === 0) return [];
  const end = rest.findIndex(({ value }) => value === '--');
  return rest
    .slice(0, end < 0 ? undefined : end)
    .flatMap((word, index) => known.map((option) => commandOf(option, word, rest[index + 1])))
    .filter((script): script is string | null => script !== undefined && script !== '' && script !== '-');
}

/** Returns the command in an option's value; null for a computed one, undefined for none. */
function commandOf(
  option: ProgramOption,
  word: ShellWord,
  next: ShellWord | undefined,
): string | null | undefined {
  const value = optionValue(option, word, next);
  if (value === undefined || value === null || option.after === undefined) return value;
  return value.toLowerCase().startsWith(option.after.toLowerCase())
    ? value.slice(option.after.length)
    : undefined;
}

/** Returns the value of an option in a word; undefined if the word is not that option. */
function optionValue(
  option: ProgramOption,
  word: ShellWord,
  next: ShellWord | undefined,
): string | null | undefined {
  const text = word.value ?? word.source;
  const attached = text.startsWith('--') ? attachedLong(option, text) : attachedLetter(option, text);
  if (attached === undefined) return undefined;
  if (attached === null) return next?.value ?? null;
  return word.value === null ? null : attached;
}

/**
 * Returns the attached value of a long option, null for none; undefined if the text is not that
 * option.
 */
function attachedLong({ long }: ProgramOption, text: string): string | null | undefined {
  const [, given = '', attached = null] = /^--([a-z][a-z-]*)(?:=(.*))?$/s.exec(text) ?? [];
  // At least three letters identify an abbreviation.
  return given.length >= 3 && long?.startsWith(given) ? attached : undefined;
}

function attachedLetter({ letter }: ProgramOption, text: string): string | null | undefined {
  if (letter === undefined || !/^-[^-]/.test(text)) return undefined;
  const at = text.indexOf(letter, 1);
  if (at < 0 || !/^-[A-Za-z0-9]*$/.test(text.slice(0, at))) return undefined;
  return text.slice(at + letter.length) || null;
}
