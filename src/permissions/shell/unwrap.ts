import { nameTable } from './name-table.ts';
import { optionPrograms } from './option-programs.ts';
import { prefixWrappers, unwrapPrefix } from './prefix-wrappers.ts';
import { hidesPrograms } from './sed-and-awk.ts';
import { computed, literalWord, programName, unknownWord } from './shell-word.ts';
import type { ShellWord } from './simple-command.ts';
import { unwrapGit } from './unwrap-git.ts';
import { unwrapShell, unwrapSwitchUser } from './unwrap-shell.ts';
import { joinedScript, type Wrapped } from './wrapped.ts';

type Unwrap = (rest: readonly ShellWord[], name: string) => Wrapped | null;

const opaque =
  (what: string): Unwrap =>
  (_rest, name) => ({ kind: 'unknown', why: `\`${name}\` ${what}` });

/** Makes the call unknown if one of these words or a computed one is given. */
const withWords =
  (words: RegExp, what: string): Unwrap =>
  (rest, name) =>
    rest.some((word) => word.value === null || words.test(word.value))
      ? { kind: 'unknown', why: `\`${name}\` ${what}` }
      : null;

const unwrappers = nameTable<Unwrap>({
  'sh bash rbash dash ash': unwrapShell,
  'zsh fish ksh ksh93 mksh yash csh tcsh elvish nu xonsh pwsh powershell cmd': opaque(
    'runs a script in another language',
  ),
  'parallel rush coproc at batch tmux screen expect entr hyperfine socat fc run-parts systemd-run start-stop-daemon':
    opaque('runs commands of its own'),
  eval: (rest) => (rest.length === 0 ? null : joinedScript(withoutDashes(rest), 'eval')),
  trap: unwrapTrap,
  alias: unwrapAlias,
  'source .': unwrapSource,
  'su runuser': unwrapSwitchUser,
  find: unwrapFind,
  'fd fdfind': unwrapFd,
  git: unwrapGit,
  ssh: unwrapRemote,
  'vim vi nvim view emacs': unwrapEditor,
  'ed ex': opaque('runs commands that it reads'),
  setarch: (rest) =>
    unwrap([literalWord('linux64'), ...(rest[0]?.value?.startsWith('-') ? rest : rest.slice(1))]),
  shopt: withWords(/^(expand_aliases|extglob|sourcepath)$/, 'has words read in another way'),
  set: withWords(/^(-[a-zA-Z]*[kH]|keyword|posix|history|histexpand)/, 'has words read in another way'),
  hash: withWords(/^-[a-z]*p/, 'makes a word stand for another program'),
  enable: withWords(/^-[a-z]*[fnd]/, 'makes a word stand for another program'),
  compgen: withWords(/^-[a-zA-Z]*[CFW]/, 'runs its completion command'),
  bind: withWords(/^-[a-z]*[xf]/, 'has keys run commands'),
});

/** Returns what a command runs besides its own program, or null. */
export function unwrap(words: readonly ShellWord[]): Wrapped | null {
  const name = programName(words[0]?.value ?? '');
  const rest = words.slice(1);
  const wrapper = prefixWrappers.get(name);
  const wrapped =
    wrapper === undefined ? unwrappers.get(name)?.(rest, name) : unwrapPrefix(name, rest, wrapper);
  if (wrapped !== undefined && wrapped !== null) return wrapped;
  // The dynamic loader runs the program at a path.
  if (/^ld(-linux[\w.-]*|-musl[\w.-]*)?\.so(\.\d+)?$/.test(name)) return unwrapLoader(rest);
  const hidden = hidesPrograms(name, rest) ?? evaluatesWords(name, rest);
  if (hidden !== null) return { kind: 'unknown', why: hidden };
  const optionScripts = optionPrograms(name, rest);
  if (optionScripts.length === 0) return null;
  const scripts = optionScripts.filter((script) => script !== null);
  const unknown =
    scripts.length < optionScripts.length ? { unknown: `\`${name}\` runs something computed` } : {};
  return { kind: 'scripts', scripts, includesSelf: true, posix: true, ...unknown };
}

function withoutDashes(rest: readonly ShellWord[]): readonly ShellWord[] {
  return rest[0]?.value === '--' ? rest.slice(1) : rest;
}

function unwrapTrap(rest: readonly ShellWord[]): Wrapped | null {
  const [action] = withoutDashes(rest);
  if (action === undefined || /^-[lp]*$/.test(action.value ?? '')) return null;
  return joinedScript([action], 'trap');
}

/**
 * Bash ignores aliases in scripts, other shells do not. Their commands are included, and the rest
 * becomes unknown.
 */
function unwrapAlias(rest: readonly ShellWord[]): Wrapped | null {
  const scripts: string[] = [];
  for (const word of rest) {
    if (word.value === null) return { kind: 'unknown', why: '`alias` gives a name to something computed' };
    const at = word.value.indexOf('=');
    if (at > 0) scripts.push(word.value.slice(at + 1));
  }
  if (scripts.length === 0) return null;
  return {
    kind: 'scripts',
    scripts,
    includesSelf: true,
    unknown: 'after `alias` a word may stand for another program',
  };
}

function unwrapSource(rest: readonly ShellWord[]): Wrapped | null {
  const file = withoutDashes(rest)[0]?.value;
  return file === null || /^(\/dev\/|\/proc\/)/.test(file ?? '')
    ? { kind: 'unknown', why: '`source` runs something computed' }
    : null;
}

const execActions = new Set(['-exec', '-execdir', '-ok', '-okdir']);

function unwrapFind(rest: readonly ShellWord[]): Wrapped | null {
  const programs: ShellWord[][] = [];
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index] ?? unknownWord;
    if (word.value === null && mayHideExec(word, rest.slice(index + 1)))
      return { kind: 'unknown', why: 'the arguments of `find` are computed' };
    if (!execActions.has(word.value ?? '')) continue;
    const end = endOfExec(rest, index + 1);
    programs.push(rest.slice(index + 1, end).map((one) => (one.value?.includes('{}') ? computed(one) : one)));
    index = end;
  }
  // The folder of `-execdir` is known only at run time.
  const elsewhere = rest.some(({ value }) => value?.endsWith('dir'));
  return programs.length === 0 ? null : { kind: 'programs', programs, includesSelf: true, elsewhere };
}

/** Returns the index of the `;`, or of the `+` after `{}`, that ends an `-exec`. */
function endOfExec(words: readonly ShellWord[], from: number): number {
  const end = words.findIndex(
    ({ value }, at) => at >= from && (value === ';' || (value === '+' && words[at - 1]?.value === '{}')),
  );
  return end < 0 ? words.length : end;
}

/** Returns true if a computed word may be `-exec`, with the program in it or after it. */
function mayHideExec(word: ShellWord, after: readonly ShellWord[]): boolean {
  const ends = after.some(({ value }) => value === ';' || value === '+');
  const program = after[0]?.value?.startsWith('-') !== true && ends;
  return word.several || /^[*?[]/.test(word.source) || (word.mayBeOption && program);
}

/** Returns the programs of `fd -x program …` and `-X`, up to a `;` or the end. */
function unwrapFd(rest: readonly ShellWord[], name: string): Wrapped | null {
  const programs: ShellWord[][] = [];
  for (let index = 0; index < rest.length; index++) {
    const { value, mayBeOption } = rest[index] ?? unknownWord;
    if (value === '--') break;
    if (value === null && mayBeOption)
      return { kind: 'unknown', why: `the arguments of \`${name}\` are computed` };
    const first = execOfFd(value ?? '');
    if (first === undefined) continue;
    const end = rest.findIndex((word, at) => at > index && word.value === ';');
    const words = rest.slice(index + 1, end < 0 ? undefined : end);
    programs.push(fdProgram(first, words));
    if (end < 0) break;
    index = end;
  }
  return programs.length === 0 ? null : { kind: 'programs', programs, includesSelf: true };
}

function fdProgram(first: string, words: readonly ShellWord[]): ShellWord[] {
  const all = [...(first === '' ? [] : [literalWord(first)]), ...words, unknownWord];
  const isPlaceholder = ({ value }: ShellWord) => value !== null && /\{[/.]*\}/.test(value);
  return all.map((word) => (isPlaceholder(word) ? computed(word) : word));
}

/**
 * Returns the program attached to an option such as `-x`, '' for none; undefined for other words.
 */
function execOfFd(value: string): string | undefined {
  if (/^--ex(cl|t)/.test(value)) return undefined;
  return /^(?:-[a-zA-Z0-9]*[xX]|--ex(?:ec(?:-batch)?)?=?)(.*)$/s.exec(value)?.[1];
}

/** Returns the command line run on another machine. */
function unwrapRemote(rest: readonly ShellWord[], name: string): Wrapped | null {
  const scripts: string[] = [];
  let index = 0;
  for (let value = rest[0]?.value; value?.startsWith('-'); value = rest[++index]?.value) {
    const [, letter = '', attached = ''] =
      /^-[46AaCfGgKkMNnqsTtVvXxYy]*([BbcDEeFIiJLlmOopQRSWw]?)(.*)$/s.exec(value) ?? [];
    const setting = attached === '' && letter !== '' ? (rest[++index]?.value ?? null) : attached;
    if (setting === null) return { kind: 'unknown', why: `the arguments of \`${name}\` are computed` };
    const command = /^(proxycommand|localcommand|knownhostscommand|match\s+exec)[\s=]+(.*)$/is.exec(
      setting,
    )?.[2];
    if (letter === 'o' && command !== undefined) scripts.push(command);
  }
  const words = rest.slice(index + 1);
  if (words.length > 0) {
    const values = words.map((word) => word.value);
    if (values.includes(null)) return { kind: 'unknown', why: `\`${name}\` runs a command that is computed` };
    scripts.push(values.join(' '));
  }
  return scripts.length === 0
    ? null
    : { kind: 'scripts', scripts, includesSelf: true, posix: true, elsewhere: true };
}

/** Editors run commands from their options. */
function unwrapEditor(rest: readonly ShellWord[], name: string): Wrapped | null {
  const commands = /^(\+.|-[a-zA-Z]*[cSsu]|--cmd|--eval|-eval|--load|-l|--script|-f|--funcall)/;
  return rest.some((word) => word.value === null || commands.test(word.value))
    ? { kind: 'unknown', why: `\`${name}\` runs the commands it is told` }
    : null;
}

function unwrapLoader(rest: readonly ShellWord[]): Wrapped | null {
  let index = 0;
  while (rest[index]?.value?.startsWith('-'))
    index += /^--(library-path|inhibit-rpath|audit|preload|argv0|glibc-hwcaps-(prepend|mask))$/.test(
      rest[index]?.value ?? '',
    )
      ? 2
      : 1;
  const words = rest.slice(index);
  return words.length === 0 ? null : { kind: 'programs', programs: [words], includesSelf: true };
}

/** Builtins that take variable names and evaluate a bracketed index after one. */
const takeNames = /^(unset|read|declare|typeset|local|export|readonly|mapfile|readarray|getopts|wait)$/;

/**
 * Returns a clause about a builtin that evaluates its words (`test -v 'x[$(…)]'`) or sets a
 * variable (`printf '%n' PATH`); else null.
 */
export function evaluatesWords(name: string, rest: readonly ShellWord[]): string | null {
  if (name === 'printf') return printsInto(rest);
  if (name === 'let') return '`let` computes, which may run commands in variables';
  if (name === 'test' || name === '[')
    return rest.some(({ value }) => value === '-v' || value === '-R')
      ? `\`${name}\` computes with its arguments, which may run commands`
      : null;
  if (!takeNames.test(name)) return null;
  const computes = rest.some(({ value, source }) =>
    value === null && !/^[A-Za-z_]\w*\+?=/.test(source)
      ? /[[$`]/.test(source)
      : /^[^=]*\[/.test(value ?? '') || (name !== 'read' && /^-[A-Za-z]*[in]/.test(value ?? '')),
  );
  return computes ? `\`${name}\` computes with its arguments, which may run commands` : null;
}

/** `%n` in the format stores a count in a variable, and `-v` names one. */
function printsInto(rest: readonly ShellWord[]): string | null {
  const [first, second] = rest;
  const format = first?.value === '--' ? second : first;
  if (format === undefined) return null;
  if (first?.value?.startsWith('-v')) return '`printf` sets a variable';
  if (format.value === null) return '`printf` may set a variable by its format, which is computed';
  // Bash accepts these length modifiers before the `n`.
  return /%[^%A-Za-z]*[hjlLtz]*n/.test(format.value.replaceAll('%%', '')) ? '`printf` sets a variable' : null;
}
