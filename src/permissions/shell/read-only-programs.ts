import { readsWithGit } from './read-only-git.ts';
import { readsWithAwk, readsWithSed } from './read-only-languages.ts';

/** What proves that a call of a program only reads. With none of these, every call of it does. */
export interface ReadOnlyProgram {
  /** Long (or single-word) options that write, run or connect, abbreviations included. */
  readonly danger?: RegExp;
  /** Short options that do, alone or in a cluster such as `-rno`. */
  readonly dangerLetters?: string;
  /** For what options cannot tell; gets the words after the program. */
  readonly check?: (values: readonly string[]) => boolean;
}

const harmless =
  'cat head tail nl tac rev echo printf true false : pwd basename dirname realpath readlink stat ls cut tr paste ' +
  'comm fold expand unexpand fmt pr join tsort numfmt factor column cmp sum b2sum md5sum sha224sum sha384sum sha1sum sha256sum sha512sum cksum df id groups uname arch nproc ' +
  'sleep seq which whereis type expr strings od hexdump cd printenv locale getconf lscpu uptime free ps pgrep grep egrep fgrep ' +
  'break continue';

/** The one word that has a program tell its version and nothing else: `python3 -v` runs what it reads, `cargo` what a file names. */
const asksVersion =
  (words: RegExp = /^--version$/) =>
  (values: readonly string[]): boolean =>
    values.length === 1 && words.test(values[0] ?? '');

/** A second file would be written: `-` is one too, and so is each word behind `--`. */
const hasOneFile = (values: readonly string[]): boolean => {
  const end = values.indexOf('--');
  const isFile = (value: string, at: number) =>
    end >= 0 && at >= end ? at > end : value === '-' || !value.startsWith('-');
  return values.filter(isFile).length <= 1;
};

/** Without `-w` and `-u`, which keep settings for later. */
const readsGoEnvironment = (values: readonly string[]): boolean =>
  values[0] === 'env' && values.slice(1).every((value) => /^(-json|[A-Z]\w*)$/.test(value));

/** `tar -tvf x`, with nothing that could name a program. */
const listsArchive = (values: readonly string[]): boolean =>
  /^-?[zjJv]*t[zjJvf]*$/.test(values[0] ?? '') && values.slice(1).every((value) => !value.startsWith('-'));

/**
 * Programs that only read, with the options that make them do more. A program that is not here proves
 * nothing, nor does one with any condition here of which a word is computed.
 */
export const readOnlyPrograms: ReadonlyMap<string, ReadOnlyProgram> = new Map<string, ReadOnlyProgram>([
  ...harmless.split(' ').map((name): [string, ReadOnlyProgram] => [name, {}]),
  ...['ruby', 'java', 'make'].map((name): [string, ReadOnlyProgram] => [name, { check: asksVersion() }]),
  ...['python', 'python3'].map((name): [string, ReadOnlyProgram] => [
    name,
    { check: asksVersion(/^(--version|-V|--help)$/) },
  ]),
  ['node', { check: asksVersion(/^(--version|-v|--help)$/) }],
  ['go', { check: (values) => asksVersion(/^version$/)(values) || readsGoEnvironment(values) }],
  ...['wc', 'du'].map((name): [string, ReadOnlyProgram] => [name, { danger: /^--f/ }]),
  ['diff', { danger: /^--pag/, dangerLetters: 'l' }],
  ['test', { danger: /^-[vR]$/ }],
  ['[', { danger: /^-[vR]$/ }],
  [
    'date',
    {
      danger: /^--[sf]/,
      dangerLetters: 'sf',
      check: (values) => values.every((value) => /^[-+]/.test(value)),
    },
  ],
  ['file', { danger: /^--(c|u|f)/, dangerLetters: 'CfzZ' }],
  ['tree', { danger: /^--output/, dangerLetters: 'oR' }],
  ['base64', { danger: /^--o/, dangerLetters: 'o' }],
  ['base32', {}],
  ['shuf', { danger: /^--o/, dangerLetters: 'o' }],
  ['iconv', { danger: /^--o/, dangerLetters: 'o' }],
  ['yq', { danger: /^--(in|sp)/, dangerLetters: 'is' }],
  ['xxd', { danger: /^-+rev/, dangerLetters: 'r', check: hasOneFile }],
  ['tar', { check: listsArchive }],
  ['uniq', { check: hasOneFile }],
  ['sort', { danger: /^--(o|co|t|fi)/, dangerLetters: 'oT' }],
  ['jq', { danger: /^--(from|run|library)/, dangerLetters: 'fL' }],
  ['rg', { danger: /^--(pre|hostname-bin|search-zip)(=|$)/, dangerLetters: 'z' }],
  ['find', { danger: /^-(exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls|files0-from)$/ }],
  ...['fd', 'fdfind'].map((name): [string, ReadOnlyProgram] => [
    name,
    { danger: /^--(exec|gen)/, dangerLetters: 'xX' },
  ]),
  ['sed', { check: readsWithSed }],
  ['awk', { check: readsWithAwk }],
  ['env', { check: (values) => values.length === 0 }],
  ['hostname', { check: (values) => values.every((value) => /^-[fsidIA]$/.test(value)) }],
  ['command', { check: (values) => /^-[vV]$/.test(values[0] ?? '') }],
  ['git', { check: readsWithGit }],
]);
