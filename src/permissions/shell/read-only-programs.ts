import { readsWithAwk, readsWithSed } from './sed-and-awk.ts';

/** Subcommands of git that only read, except with the matched options. */
const readers = new Map<string, RegExp>([
  ...'log show diff whatchanged diff-tree diff-index diff-files range-diff'
    .split(' ')
    .map((name): [string, RegExp] => [name, /^--(ou|ext|textc)/]),
  ...'status blame annotate shortlog rev-parse rev-list ls-files ls-tree describe name-rev merge-base for-each-ref show-ref count-objects cherry version check-ignore'
    .split(' ')
    .map((name): [string, RegExp] => [name, /^--(ou|ext|exec|textc|parseopt)/]),
  ['cat-file', /^--(textc|filters|batch)/],
  ['grep', /^(--(open|ext|textc)|-[^-]*O)/],
]);

const branchOptions =
  /^(--list|-l|-a|--all|-r|--remotes|-v|-vv|--verbose|--show-current|--no-color|--sort=.*|--format=.*)$/;

const configOptions =
  /^(--show-origin|--show-scope|--name-only|-z|--null|--local|--global|--system|--worktree|--includes|--type=\w+)$/;

/**
 * Returns true if a call of git only reads. `values` are the words after `git`. Options that select
 * a repository or set configuration (`-C`, `-c`, `--git-dir`) prove nothing.
 */
export function readsWithGit(values: readonly string[]): boolean {
  let index = 0;
  while (/^(--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(values[index] ?? '')) index++;
  const [subcommand = '', ...rest] = values.slice(index);
  if (subcommand === '--version') return true;
  // Options end at `--`; paths follow.
  const end = rest.indexOf('--');
  const options = end < 0 ? rest : rest.slice(0, end);
  const danger = readers.get(subcommand);
  if (danger !== undefined) return !options.some((value) => danger.test(value));
  return Object.hasOwn(gitChecks, subcommand) && gitChecks[subcommand]?.(options) === true;
}

/** Subcommands of git that only read with some arguments. */
const gitChecks: Readonly<Record<string, (options: readonly string[]) => boolean>> = {
  branch: (options) => options.every((value) => branchOptions.test(value)) || listsPlain(options),
  tag: (options) => options.length === 0 || listsPlain(options),
  remote: ([first, ...more]) =>
    first === undefined || (first === '-v' ? more.length === 0 : first === 'get-url' && more.length === 1),
  config: ([first = '', ...more]) =>
    /^(--get|--get-all|--get-regexp|--list|-l)$/.test(first) &&
    more.every((value) => isPlain(value) || configOptions.test(value)),
  'symbolic-ref': (options) =>
    options.filter(isPlain).length === 1 &&
    options.every((value) => isPlain(value) || /^(-q|--short)$/.test(value)),
  stash: (options) => options.join() === 'list',
  worktree: (options) => options.join() === 'list',
  reflog: ([first, ...more]) => first === undefined || (first === 'show' && more.every(isPlain)),
};

function listsPlain([first, ...more]: readonly string[]): boolean {
  return (first === '--list' || first === '-l') && more.every(isPlain);
}

function isPlain(value: string): boolean {
  return !value.startsWith('-');
}

/** Conditions under which a program only reads. Without any, every call does. */
export interface ReadOnlyProgram {
  /** Long or single-word options that write, run or connect; must match abbreviations. */
  readonly danger?: RegExp;
  /** Such short options, alone or in a cluster such as `-rno`. */
  readonly dangerLetters?: string;
  /** A check of the words after the program, for everything else. */
  readonly check?: (values: readonly string[]) => boolean;
}

const harmless =
  'cat head tail nl tac rev echo printf true false : pwd basename dirname realpath readlink stat ls cut tr paste ' +
  'comm fold expand unexpand fmt pr join tsort numfmt factor column cmp sum b2sum md5sum sha224sum sha384sum sha1sum sha256sum sha512sum cksum df id groups uname arch nproc ' +
  'sleep seq which whereis type expr strings od hexdump cd printenv locale getconf lscpu uptime free ps pgrep grep egrep fgrep ' +
  'break continue';

/**
 * Checks that the only word asks for the version. `python3 -v` runs its input, and `cargo` what a
 * file names.
 */
const asksVersion =
  (words: RegExp = /^--version$/) =>
  (values: readonly string[]): boolean =>
    values.length === 1 && words.test(values[0] ?? '');

/**
 * Checks that there is at most one file, as a second would be written. `-` and words after `--`
 * count.
 */
const hasOneFile = (values: readonly string[]): boolean => {
  const end = values.indexOf('--');
  const isFile = (value: string, at: number) =>
    end >= 0 && at >= end ? at > end : value === '-' || !value.startsWith('-');
  return values.filter(isFile).length <= 1;
};

/** Excludes `-w` and `-u`, which store settings. */
const readsGoEnvironment = (values: readonly string[]): boolean =>
  values[0] === 'env' && values.slice(1).every((value) => /^(-json|[A-Z]\w*)$/.test(value));

/** Accepts `tar -tvf x`, without options that could name a program. */
const listsArchive = (values: readonly string[]): boolean =>
  /^-?[zjJv]*t[zjJvf]*$/.test(values[0] ?? '') && values.slice(1).every((value) => !value.startsWith('-'));

/**
 * Programs that only read, with conditions. Unlisted programs, and conditional ones with computed
 * words, are not proven to read.
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
