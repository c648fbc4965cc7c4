import { type ParsedOption, readOptions } from './read-options.ts';
import type { ShellWord } from './simple-command.ts';
import { joinedScript, type Wrapped } from './wrapped.ts';

const options = {
  short: 'abcefhiklmnprstuvxBCDEHPTo:O:',
  long: 'login noprofile norc posix restricted verbose help version rcfile: init-file:',
};

/**
 * Returns what `bash` or `sh` runs: the script of `-c`, or one on standard input. Null for a file,
 * whose name decides. `rest`: the words after the shell's name.
 */
export function unwrapShell(rest: readonly ShellWord[], name: string): Wrapped | null {
  const posix = name !== 'bash';
  // Options may also begin with a plus.
  const words = rest.map((word) =>
    word.value !== null && /^\+[A-Za-z]/.test(word.value)
      ? { ...word, value: `-${word.value.slice(1)}` }
      : word,
  );
  const read = readOptions(words, options);
  const given = (...names: string[]) => read.options.some((option) => names.includes(option.name));
  // A computed word after `-c` can only be the script.
  const script = given('c') && read.operands[0]?.value === null;
  if (read.problem !== null && !script) return { kind: 'unknown', why: `of the shell, ${read.problem}` };
  if (given('help', 'version')) return null;
  const unclear = unclearMode(read.options);
  if (unclear !== null) return { kind: 'unknown', why: unclear };
  const operands = read.operands[0]?.value === '-' ? read.operands.slice(1) : read.operands;
  const [first] = operands;
  if (given('c')) return first === undefined ? null : joinedScript([first], `${name} -c`, { posix });
  if (given('s') || first === undefined) return { kind: 'standard_input', posix };
  if (first.value === null) return { kind: 'unknown', why: 'the arguments of a shell are computed' };
  // The name of a file of commands decides, as for any program.
  return /^(\/dev\/|\/proc\/|.*\/(dev\/stdin|fd\/))/.test(first.value)
    ? { kind: 'standard_input', posix }
    : null;
}

/** Returns a clause about options that make the shell read words differently, or null. */
function unclearMode(given: readonly ParsedOption[]): string | null {
  const has = (...names: string[]) => given.some((option) => names.includes(option.name));
  if (has('rcfile', 'init-file', 'i')) return 'an interactive shell reads a start-up file';
  // These turn arguments into variables and expand the history.
  if (has('k', 'H')) return 'the shell is told to read words in another way';
  return has('posix') || given.some(({ name, value }) => name === 'o' && value?.value === 'posix')
    ? 'in its POSIX mode the shell reads aliases'
    : null;
}

/** Returns what `su` and `runuser` run as another user. */
export function unwrapSwitchUser(rest: readonly ShellWord[], name: string): Wrapped | null {
  const at = rest.findIndex((word) => /^(-[a-z]*c|--command|--session-command)$/.test(word.value ?? ''));
  if (at >= 0) return joinedScript(rest.slice(at + 1, at + 2), name, { includesSelf: true, posix: true });
  const attached = rest.find((word) => /^--(session-)?command=/.test(word.value ?? ''));
  const script = attached?.value?.replace(/^[^=]*=/, '');
  if (script !== undefined) return { kind: 'scripts', scripts: [script], includesSelf: true, posix: true };
  const end = rest.findIndex((word) => word.value === '--');
  if (name === 'runuser' && end >= 0)
    return { kind: 'programs', programs: [rest.slice(end + 1)], includesSelf: true };
  return { kind: 'standard_input', posix: true };
}
