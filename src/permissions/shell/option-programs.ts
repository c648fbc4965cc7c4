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
  const scripts: (string | null)[] = [];
  for (const [index, word] of rest.entries()) {
    if (known.length === 0 || word.value === '--') break;
    for (const option of known) {
      const value = optionValue(option, word, rest[index + 1]);
      if (value === undefined) continue;
      if (value === null || option.after === undefined) scripts.push(value);
      else if (value.toLowerCase().startsWith(option.after.toLowerCase()))
        scripts.push(value.slice(option.after.length));
    }
  }
  return scripts.filter((script) => script !== '' && script !== '-');
}

/** Returns the value of an option in a word; undefined if the word is not that option. */
function optionValue(
  option: ProgramOption,
  word: ShellWord,
  next: ShellWord | undefined,
): string | null | undefined {
  const text = word.value ?? word.source;
  const long = /^--([a-z][a-z-]*)(?:=(.*))?$/s.exec(text);
  if (long !== null) {
    const [, given = '', attached] = long;
    // At least three letters identify an abbreviation.
    if (option.long === undefined || given.length < 3 || !option.long.startsWith(given)) return undefined;
    if (attached === undefined) return next?.value ?? null;
    return word.value === null ? null : attached;
  }
  if (option.letter === undefined || !/^-[^-]/.test(text)) return undefined;
  const at = text.indexOf(option.letter, 1);
  if (at < 0 || !/^-[A-Za-z0-9]*$/.test(text.slice(0, at))) return undefined;
  const attached = text.slice(at + option.letter.length);
  if (attached === '') return next?.value ?? null;
  return word.value === null ? null : attached;
}
