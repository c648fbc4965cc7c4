import { destroys } from './destructive.ts';
import { nameTable } from './name-table.ts';
import { commandsWithin } from './runners.ts';
import { readsWithAwk, readsWithSed } from './sed-and-awk.ts';
import type { ShellWord, SimpleCommand } from './simple-command.ts';

/** Subcommands of git that only read, except with the matched options. */
const readers = nameTable<RegExp>({
  'log show diff diff-tree': /^--(ou|ext|textc)/,
  'status blame shortlog rev-parse rev-list ls-files ls-tree describe merge-base for-each-ref show-ref':
    /^--(ou|ext|exec|textc|parseopt)/,
  'cat-file': /^--(textc|filters|batch)/,
  grep: /^(--(open|ext|textc)|-[^-]*O)/,
});

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
  stash: (options) => options.join() === 'list',
  worktree: (options) => options.join() === 'list',
};

function listsPlain([first, ...more]: readonly string[]): boolean {
  return (first === '--list' || first === '-l') && more.every(isPlain);
}

function isPlain(value: string): boolean {
  return !value.startsWith('-');
}

/** Conditions under which a program only reads. Without any, every call does. */
interface ReadOnlyProgram {
  /** Long or single-word options that write, run or connect; must match abbreviations. */
  readonly danger?: RegExp;
  /** Such short options, alone or in a cluster such as `-rno`. */
  readonly dangerLetters?: string;
  /** A check of the words after the program, for everything else. */
  readonly check?: (values: readonly string[]) => boolean;
}

const harmless =
  'cat head tail nl tac rev echo printf true false : pwd basename dirname realpath readlink stat ls cut tr ' +
  'paste comm join column cmp md5sum sha1sum sha256sum id uname sleep seq which type strings od hexdump cd ps ' +
  'grep egrep fgrep break continue';

/**
 * Checks that the only word asks for the version. `python3 -v` runs its input, and `cargo` what a
 * file names.
 */
const asksVersion =
  (words: RegExp) =>
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

/**
 * Programs that only read, with conditions. Unlisted programs, and conditional ones with computed
 * words, are not proven to read.
 */
export const readOnlyPrograms: ReadonlyMap<string, ReadOnlyProgram> = nameTable<ReadOnlyProgram>({
  [harmless]: {},
  'python python3': { check: asksVersion(/^(--version|-V|--help)$/) },
  node: { check: asksVersion(/^(--version|-v|--help)$/) },
  go: { check: asksVersion(/^version$/) },
  'wc du': { danger: /^--f/ },
  diff: { danger: /^--pag/, dangerLetters: 'l' },
  'test [': { danger: /^-[vR]$/ },
  date: {
    danger: /^--[sf]/,
    dangerLetters: 'sf',
    check: (values) => values.every((value) => /^[-+]/.test(value)),
  },
  file: { danger: /^--(c|u|f)/, dangerLetters: 'CfzZ' },
  tree: { danger: /^--output/, dangerLetters: 'oR' },
  base64: { danger: /^--o/, dangerLetters: 'o' },
  xxd: { danger: /^-+rev/, dangerLetters: 'r', check: hasOneFile },
  uniq: { check: hasOneFile },
  sort: { danger: /^--(o|co|t|fi)/, dangerLetters: 'oT' },
  jq: { danger: /^--(from|run|library)/, dangerLetters: 'fL' },
  rg: { danger: /^--(pre|hostname-bin|search-zip)(=|$)/, dangerLetters: 'z' },
  find: { danger: /^-(exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls|files0-from)$/ },
  fd: { danger: /^--(exec|gen)/, dangerLetters: 'xX' },
  sed: { check: readsWithSed },
  awk: { check: readsWithAwk },
  env: { check: (values) => values.length === 0 },
  command: { check: (values) => /^-[vV]$/.test(values[0] ?? '') },
  git: { check: readsWithGit },
});

/** The visible effect of a simple command. `reason` is a clause about the command. */
export interface Evaluation {
  readonly kind: 'read_only' | 'destructive' | 'other';
  readonly reason: string;
}

/**
 * Classifies a simple command: proven to read only, known to destroy, or neither. `start` is the
 * folder its script starts in, '' for the workspace. Pure.
 */
export function evaluateCommand(command: SimpleCommand, start = ''): Evaluation {
  const within = commandsWithin(command.words).map((words) => destroys({ ...command, words }));
  const destroyed = destroys(command) ?? within.find((found) => found !== null) ?? null;
  if (destroyed !== null) return { kind: 'destructive', reason: destroyed };
  const doubt = doubtOf(command, start);
  return doubt === null ? { kind: 'read_only', reason: 'only reads' } : { kind: 'other', reason: doubt };
}

/**
 * Returns true if a computed word may be an option of a program that has risky ones. The command
 * may then differ from what a rule matches.
 */
export function mayHaveOtherOptions({ words: [program, ...rest] }: SimpleCommand): boolean {
  const known = readOnlyPrograms.get(trustedName(program?.value ?? null) ?? '');
  if (known !== undefined && Object.keys(known).length === 0) return false;
  const end = rest.findIndex(({ value }) => value === '--');
  return rest
    .slice(0, end < 0 ? undefined : end)
    .some(({ value, mayBeOption }) => value === null && mayBeOption);
}

function doubtOf(command: SimpleCommand, start: string): string | null {
  const [program, ...rest] = command.words;
  if (program === undefined || command.assignments.length > 0) return 'sets variables that programs may heed';
  const name = trustedName(program.value);
  if (name === null) return 'runs a program by a path or a computed name';
  const known = readOnlyPrograms.get(name);
  if (known === undefined) return 'is not known to read only';
  if (rest.some((word) => word.fromCommand)) return 'takes the output of a command as an argument';
  // A repository inside the repository may have configuration that runs programs.
  if (name === 'git' && (start !== '' || command.folders?.join() !== '')) return 'runs git in another folder';
  return Object.keys(known).length === 0 ? null : argumentDoubt(known, rest);
}

function argumentDoubt(known: ReadOnlyProgram, rest: readonly ShellWord[]): string | null {
  if (rest.some((word) => word.value === null && word.mayBeOption))
    return 'has computed arguments that may be options';
  const values = rest.map((word) => word.value ?? word.source);
  const danger = dangerIn(known, values);
  if (danger !== undefined) return `does more than read with \`${danger}\``;
  if (known.check === undefined) return null;
  if (rest.some((word) => word.value === null && !isPath(word.source))) return 'has computed arguments';
  return known.check(values) ? null : 'is not proven to read only with these arguments';
}

function dangerIn({ danger, dangerLetters }: ReadOnlyProgram, values: readonly string[]): string | undefined {
  const end = values.indexOf('--');
  const options = end < 0 ? values : values.slice(0, end);
  const cluster = dangerLetters === undefined ? undefined : new RegExp(`^-[A-Za-z0-9]*[${dangerLetters}]`);
  return options.find((value) => danger?.test(value) || cluster?.test(value));
}

/** Returns the name of a program of the system: a bare name, or one in a system folder. */
function trustedName(word: string | null): string | null {
  if (word === null) return null;
  const name = /^\/(?:usr\/)?bin\/([^/]+)$/.exec(word)?.[1] ?? word;
  return name.includes('/') ? null : name;
}

function isPath(source: string): boolean {
  return /^[\w./][\w./*?-]*$/.test(source);
}
