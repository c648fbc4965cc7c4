import type { ShellWord } from './simple-command.ts';
import type { Wrapped } from './wrapped.ts';

/** Settings whose value git runs. An alias is a git command unless it begins with `!`. */
const commandSetting =
  /^(core\.(pager|editor|sshcommand|askpass|fsmonitor|gitproxy|alternaterefscommand)|sequence\.editor|pager\..*|diff\.external|diff\..*\.(command|textconv)|merge\..*\.driver|filter\..*\.(clean|smudge|process)|credential\.(.*\.)?helper|gpg\.(.*\.)?program|(diff|merge)tool\..*\.(cmd|path)|interactive\.difffilter|uploadpack\.packobjectshook|trailer\..*\.(cmd|command)|browser\..*\.cmd|man\..*\.cmd|remote\..*\.(uploadpack|receivepack|vcs)|sendemail\..*|submodule\..*\.update|difftool\..*|mergetool\..*|tar\..*\.command|web\.browser|instaweb\..*|receive\..*|ssh\.variant|imap\.tunnel)$/i;

/** Settings that make git run things from elsewhere. */
const openSetting =
  /^(include\.path|includeif\..*|core\.(hookspath|worktree|attributesfile)|init\.templatedir|protocol\..*)$/i;

/** Options of subcommands with a command line as value. The pattern matches up to the value. */
const commandOptions: Readonly<Record<string, RegExp>> = {
  rebase: /^(-x|--exec)(=|$)|^-x(?=.)/,
  difftool: /^(-x|--extcmd)(=|$)|^-x(?=.)/,
  grep: /^-[^-O]*O(?=.)|^--open-files-in-pager(=)/,
  clone: /^(-u|--upload-pack)(=|$)|^-u(?=.)/,
  fetch: /^--upload-pack(=|$)/,
  'fetch-pack': /^(--upload-pack|--exec)(=|$)/,
  'ls-remote': /^(--upload-pack|--exec)(=|$)/,
  push: /^(--receive-pack|--exec)(=|$)/,
  'send-pack': /^(--receive-pack|--exec)(=|$)/,
  archive: /^--exec(=|$)/,
  'filter-branch': /^--[a-z-]*filter(=|$)/,
  'send-email': /^--(to|cc|header)-cmd(=|$)|^--(smtp-server|sendmail-cmd)(=|$)/,
};

/**
 * Returns what a call of git runs besides itself, or null. Covers settings of `-c`, `rebase
 * --exec`, `bisect run`, `submodule foreach`, filters, and the programs of transports.
 */
export function unwrapGit(rest: readonly ShellWord[]): Wrapped | null {
  const found: Found = { scripts: [], unknown: undefined };
  const index = readGlobalOptions(rest, found);
  const subcommand = rest[index]?.value ?? '';
  const words = rest.slice(index + 1);
  readArguments(subcommand, words, found);
  takeSubcommand(subcommand, words, found);
  if (subcommand === 'config') takeConfig(words, found);
  const { scripts, unknown } = found;
  if (scripts.length > 0) return { kind: 'scripts', scripts, includesSelf: true, posix: true, unknown };
  return unknown === undefined ? null : { kind: 'unknown', why: unknown };
}

/** The scripts that a call of git runs, and why others are unknown. */
interface Found {
  readonly scripts: string[];
  unknown: string | undefined;
}

function take(found: Found, text: string | null | undefined): void {
  if (text === null || text === undefined) found.unknown ??= '`git` runs something computed';
  else if (text !== '') found.scripts.push(text);
}

function takeSetting(found: Found, text: string | null | undefined): void {
  if (text === null || text === undefined) {
    found.unknown ??= 'a setting of `git` is computed';
    return;
  }
  const [key = '', ...parts] = text.split('=');
  const value = parts.join('=');
  if (/^alias\./i.test(key)) found.scripts.push(value.startsWith('!') ? value.slice(1) : `git ${value}`);
  else if (openSetting.test(key)) found.unknown ??= `\`${key}\` has \`git\` run what it finds elsewhere`;
  else if (
    commandSetting.test(key) &&
    !/^(true|false|yes|no|on|off|0|1|cat|less|simple|ssh|none|)$/i.test(value)
  )
    found.scripts.push(value.replace(/^!/, ''));
}

/** Reads the options before the subcommand. Returns the subcommand's index. */
function readGlobalOptions(rest: readonly ShellWord[], found: Found): number {
  let index = 0;
  for (; index < rest.length; index++) {
    const value = rest[index]?.value;
    if (value === '-c') takeSetting(found, rest[++index]?.value);
    else if (value?.startsWith('-c')) takeSetting(found, value.slice(2));
    else if (/^--config-env(=|$)/.test(value ?? ''))
      found.unknown ??= 'a setting of `git` stands in a variable';
    else if (value?.startsWith('--exec-path='))
      found.unknown ??= '`git` runs its commands from another folder';
    else if (/^(-C|--git-dir|--work-tree|--namespace|--super-prefix|--attr-source)$/.test(value ?? ''))
      index++;
    else if (!value?.startsWith('-')) break;
  }
  return index;
}

function readArguments(subcommand: string, words: readonly ShellWord[], found: Found): void {
  const option = Object.hasOwn(commandOptions, subcommand) ? commandOptions[subcommand] : undefined;
  for (const [at, word] of words.entries()) {
    const text = word.value ?? word.source;
    const next = words[at + 1]?.value;
    const [name] = option?.exec(text) ?? [];
    if (name !== undefined) takeOption(found, word, name, next);
    if (/^ext::/.test(text)) take(found, word.value?.slice('ext::'.length));
    if (/^(clone|init)$/.test(subcommand) && /^(-c|--config)$/.test(text)) takeSetting(found, next);
    if (/^--config=/.test(text)) takeSetting(found, word.value?.slice('--config='.length));
  }
}

/** Takes the command of an option, of which `name` is the part before an attached value. */
function takeOption(found: Found, word: ShellWord, name: string, next: string | null | undefined): void {
  const attached = (word.value ?? word.source).slice(name.length);
  if (attached === '' && !name.endsWith('=')) take(found, next);
  else take(found, word.value === null ? null : attached);
}

/** Takes a setting that `git config` stores. */
function takeConfig(words: readonly ShellWord[], found: Found): void {
  const plain = words.filter((word) => !word.value?.startsWith('-') && !/^(set|add)$/.test(word.value ?? ''));
  const key = plain[0]?.value ?? '';
  if (plain.length >= 2 && (/^alias\./i.test(key) || commandSetting.test(key)))
    takeSetting(found, plain[1]?.value === null ? null : `${key}=${plain[1]?.value}`);
}

function takeSubcommand(subcommand: string, words: readonly ShellWord[], found: Found): void {
  const at = words.findIndex((word) => word.value === (subcommand === 'bisect' ? 'run' : 'foreach'));
  if (!/^(bisect|submodule)$/.test(subcommand) || at < 0 || at === words.length - 1) return;
  let start = at + 1;
  while (/^(-q|--quiet|--recursive)$/.test(words[start]?.value ?? '')) start++;
  const run = words.slice(words[start]?.value === '--' ? start + 1 : start);
  const values = run.map((word) => word.value);
  take(found, values.includes(null) ? null : values.join(' '));
}
