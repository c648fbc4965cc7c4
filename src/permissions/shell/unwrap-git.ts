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
  const scripts: string[] = [];
  let unknown: string | undefined;
  const take = (word: ShellWord | undefined, text = word?.value): void => {
    if (text === null || text === undefined) unknown ??= '`git` runs something computed';
    else if (text !== '') scripts.push(text);
  };
  const setting = (text: string | null | undefined): void => {
    const [key = '', ...parts] = text?.split('=') ?? [];
    const value = parts.join('=');
    if (text === null || text === undefined) unknown ??= 'a setting of `git` is computed';
    else if (/^alias\./i.test(key)) scripts.push(value.startsWith('!') ? value.slice(1) : `git ${value}`);
    else if (openSetting.test(key)) unknown ??= `\`${key}\` has \`git\` run what it finds elsewhere`;
    else if (
      commandSetting.test(key) &&
      !/^(true|false|yes|no|on|off|0|1|cat|less|simple|ssh|none|)$/i.test(value)
    )
      scripts.push(value.replace(/^!/, ''));
  };
  let index = 0;
  for (; index < rest.length; index++) {
    const word = rest[index];
    const value = word?.value;
    if (value === '-c') setting(rest[++index]?.value);
    else if (value?.startsWith('-c')) setting(value.slice(2));
    else if (value === '--config-env' || value?.startsWith('--config-env='))
      unknown ??= 'a setting of `git` stands in a variable';
    else if (value?.startsWith('--exec-path=')) unknown ??= '`git` runs its commands from another folder';
    else if (/^(-C|--git-dir|--work-tree|--namespace|--super-prefix|--attr-source)$/.test(value ?? ''))
      index++;
    else if (!value?.startsWith('-')) break;
  }
  const subcommand = rest[index]?.value ?? '';
  const words = rest.slice(index + 1);
  const option = Object.hasOwn(commandOptions, subcommand) ? commandOptions[subcommand] : undefined;
  for (const [at, word] of words.entries()) {
    const text = word.value ?? word.source;
    const found = option?.exec(text);
    if (found) {
      const attached = text.slice(found[0].length);
      if (attached === '' && !found[0].endsWith('=')) take(words[at + 1]);
      else take(word, word.value === null ? null : attached);
    }
    if (/^ext::/.test(text)) take(word, word.value?.slice('ext::'.length) ?? null);
    if (/^(clone|init)$/.test(subcommand) && /^(-c|--config)$/.test(text)) setting(words[at + 1]?.value);
    if (/^--config=/.test(text)) setting(word.value?.slice('--config='.length));
  }
  takeSubcommand(subcommand, words, take);
  if (subcommand === 'config') {
    const plain = words.filter(
      (word) => !word.value?.startsWith('-') && !/^(set|add)$/.test(word.value ?? ''),
    );
    const key = plain[0]?.value ?? '';
    if (plain.length >= 2 && (/^alias\./i.test(key) || commandSetting.test(key)))
      setting(plain[1]?.value === null ? null : `${key}=${plain[1]?.value}`);
  }
  if (scripts.length === 0) return unknown === undefined ? null : { kind: 'unknown', why: unknown };
  return { kind: 'scripts', scripts, keep: true, posix: true, ...(unknown === undefined ? {} : { unknown }) };
}

function takeSubcommand(
  subcommand: string,
  words: readonly ShellWord[],
  take: (word: ShellWord | undefined, text?: string | null) => void,
): void {
  const joined = (from: number): void => {
    let start = from;
    while (/^(-q|--quiet|--recursive)$/.test(words[start]?.value ?? '')) start++;
    const run = words.slice(words[start]?.value === '--' ? start + 1 : start);
    const values = run.map((word) => word.value);
    take(run[0], values.includes(null) ? null : values.join(' '));
  };
  const at = words.findIndex((word) => word.value === (subcommand === 'bisect' ? 'run' : 'foreach'));
  if (/^(bisect|submodule)$/.test(subcommand) && at >= 0 && at < words.length - 1) joined(at + 1);
}
