import { literalWord, unknownWord } from './shell-word.ts';
import type { ShellWord } from './simple-command.ts';

/** What a command runs on behalf of others. */
export type Wrapped =
  /** Other programs, run with `assignments` in their environment; `keep`: the wrapper is judged as well. */
  | {
      readonly kind: 'programs';
      readonly programs: readonly (readonly ShellWord[])[];
      readonly assignments: readonly string[];
      readonly keep: boolean;
    }
  /** Shell scripts, of the text given. */
  | { readonly kind: 'scripts'; readonly scripts: readonly string[]; readonly keep: boolean }
  /** Whatever it reads from standard input, as a script. */
  | { readonly kind: 'standard_input' }
  /** Something that only shows when it runs. */
  | { readonly kind: 'unknown'; readonly why: string };

interface PrefixWrapper {
  /** Options that take the next word as their value. */
  readonly valued?: readonly string[];
  /** Words between the options and the program. */
  readonly positionals?: number;
  readonly assignments?: boolean;
  readonly keep?: boolean;
  /** Options with which it runs no program, or does more than run one. */
  readonly stop?: RegExp;
  readonly appends?: boolean;
}

const prefixWrappers: Readonly<Record<string, PrefixWrapper>> = {
  timeout: { valued: ['-k', '--kill-after', '-s', '--signal'], positionals: 1 },
  nohup: {},
  nice: { valued: ['-n', '--adjustment'] },
  ionice: { valued: ['-c', '--class', '-n', '--classdata'], stop: /^-[pPu]/ },
  setsid: {},
  stdbuf: { valued: ['-i', '--input', '-o', '--output', '-e', '--error'] },
  chrt: { positionals: 1, stop: /^-[pm]/ },
  taskset: { positionals: 1, stop: /^-[a-z]*p/ },
  time: { valued: ['-f', '--format'], stop: /^(-o|--output|-a)/ },
  command: { stop: /^-[vV]/ },
  builtin: {},
  exec: { valued: ['-a'] },
  env: { valued: ['-u', '--unset'], assignments: true, stop: /^(-S|--split-string|-C|--chdir|-[a-z]*S)/ },
  sudo: {
    valued: ['-u', '-g', '-h', '-p', '-C', '-T', '-U', '-D', '-R', '-r', '-t', '--user', '--group', '--host'],
    assignments: true,
    keep: true,
  },
  doas: { valued: ['-u', '-C'], keep: true },
  xargs: {
    valued: ['-I', '-n', '-P', '-L', '-d', '-s', '-E', '-a', '--max-args', '--max-procs', '--delimiter'],
    appends: true,
  },
  flock: { valued: ['-w', '--timeout', '-E'], positionals: 1, keep: true },
  busybox: { keep: true },
  strace: { valued: ['-e', '-o', '-p', '-s'], keep: true },
  chroot: { positionals: 1, keep: true },
  unshare: { keep: true },
  setpriv: { keep: true },
  watch: { valued: ['-n', '--interval'], keep: true },
};

const bashLike = new Set(['sh', 'bash', 'dash', 'ash']);
const otherShells = new Set(['zsh', 'fish', 'ksh', 'mksh', 'csh', 'tcsh', 'pwsh', 'powershell']);

/** The name of a program without the folders before it. */
export function programName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

/** What a command runs besides itself, or null where it runs nothing but its own program. */
export function unwrap(words: readonly ShellWord[]): Wrapped | null {
  const name = programName(words[0]?.value ?? '');
  const rest = words.slice(1);
  if (bashLike.has(name)) return unwrapShell(rest);
  if (otherShells.has(name)) return { kind: 'unknown', why: `\`${name}\` runs a script in another language` };
  if (name === 'eval') return scriptOf(rest, 'eval');
  if (name === 'trap') return unwrapTrap(rest);
  if (name === 'alias') return unwrapAlias(rest);
  if (name === 'source' || name === '.') return unwrapSource(rest);
  if (name === 'su') return unwrapSwitchUser(rest);
  if (name === 'find') return unwrapFind(rest);
  if (name === 'shopt' && rest.some((word) => word.value === null || word.value === 'expand_aliases'))
    return { kind: 'unknown', why: 'with `expand_aliases` a word may stand for another program' };
  if (name === 'hash' && rest.some((word) => word.value === null || word.value.startsWith('-p')))
    return { kind: 'unknown', why: '`hash -p` makes a word stand for another program' };
  if (name === 'parallel' || name === 'script' || name === 'coproc')
    return { kind: 'unknown', why: `\`${name}\` runs commands of its own` };
  const wrapper = Object.hasOwn(prefixWrappers, name) ? prefixWrappers[name] : undefined;
  return wrapper === undefined ? null : unwrapPrefix(name, rest, wrapper);
}

function unwrapPrefix(name: string, rest: readonly ShellWord[], wrapper: PrefixWrapper): Wrapped | null {
  const assignments: string[] = [];
  let positionals = wrapper.positionals ?? 0;
  let index = 0;
  for (; index < rest.length; index++) {
    const word = rest[index];
    if (word === undefined) break;
    if (word.value === null) {
      // A computed word may stand where a duration or a lock file does, never where an option could.
      if (positionals > 0 && !word.mayBeOption) {
        positionals--;
        continue;
      }
      if (positionals === 0 && !word.mayBeOption) break;
      return { kind: 'unknown', why: `the arguments of \`${name}\` are computed` };
    }
    if (word.value === '--') {
      index++;
      break;
    }
    if (wrapper.stop?.test(word.value))
      return name === 'env'
        ? { kind: 'unknown', why: '`env` with these options runs what it is given as text' }
        : null;
    if (wrapper.valued?.includes(word.value)) index++;
    else if (word.value.startsWith('-') && word.value !== '-') continue;
    else if (wrapper.assignments && /^[A-Za-z_]\w*=/.test(word.value)) assignments.push(word.value);
    else if (positionals > 0) positionals--;
    else break;
  }
  index += positionals;
  const inner = rest.slice(index);
  const [first] = inner;
  if (name === 'flock' && first?.value?.startsWith('-c')) return scriptOf(inner.slice(1), name, true);
  if (name === 'watch' && first !== undefined) return scriptOf(inner, name, true);
  if (first === undefined) {
    if (name === 'xargs')
      return { kind: 'programs', programs: [[literalWord('echo'), unknownWord]], assignments, keep: false };
    return null;
  }
  const words = wrapper.appends === true ? replaceable([...inner, unknownWord], rest.slice(0, index)) : inner;
  return { kind: 'programs', programs: [words], assignments, keep: wrapper.keep === true };
}

/** With `xargs -I%` any word that holds the mark is computed too, the program's own name included. */
function replaceable(words: readonly ShellWord[], options: readonly ShellWord[]): ShellWord[] {
  const at = options.findIndex((word) => word.value?.startsWith('-I') || word.value?.startsWith('-i'));
  if (at < 0) return [...words];
  const option = options[at]?.value ?? '';
  const mark =
    option.length > 2 ? option.slice(2) : option === '-i' ? '{}' : (options[at + 1]?.value ?? '{}');
  return words.map((word) => (word.value?.includes(mark) ? { ...unknownWord, source: word.source } : word));
}

function scriptOf(words: readonly ShellWord[], name: string, keep = false): Wrapped {
  const values = words.map((word) => word.value);
  if (values.includes(null)) return { kind: 'unknown', why: `\`${name}\` runs a script that is computed` };
  return { kind: 'scripts', scripts: [values.join(' ')], keep };
}

function unwrapShell(rest: readonly ShellWord[]): Wrapped | null {
  for (let index = 0; index < rest.length; index++) {
    const value = rest[index]?.value;
    if (value === undefined) break;
    if (value === null) return { kind: 'unknown', why: 'the arguments of a shell are computed' };
    if (value === '-o' || value === '+o' || value === '-O' || value === '+O') {
      index++;
    } else if (value === '--rcfile' || value === '--init-file') {
      return { kind: 'unknown', why: 'a shell reads a start-up file' };
    } else if (/^-[A-Za-z]*c[A-Za-z]*$/.test(value)) {
      const script = rest.slice(index + 1).find((word) => word.value === null || !/^[-+]/.test(word.value));
      return script === undefined ? null : scriptOf([script], 'sh -c');
    } else if (value === '-' || value === '-s' || /^-[A-Za-z]*s[A-Za-z]*$/.test(value)) {
      return { kind: 'standard_input' };
    } else if (!/^[-+]/.test(value)) {
      // A file of commands: another program like any other, judged by its name.
      return value === '/dev/stdin' || value.startsWith('/dev/fd/') || value.startsWith('/proc/')
        ? { kind: 'standard_input' }
        : null;
    }
  }
  const asks = rest.some((word) => word.value === '--version' || word.value === '--help');
  return asks ? null : { kind: 'standard_input' };
}

function unwrapTrap(rest: readonly ShellWord[]): Wrapped | null {
  const words = rest.filter((word) => word.value !== '--');
  const [action] = words;
  if (action === undefined || action.value === '-' || action.value === '-p' || action.value === '-l')
    return null;
  return scriptOf([action], 'trap');
}

function unwrapAlias(rest: readonly ShellWord[]): Wrapped | null {
  const scripts: string[] = [];
  for (const word of rest) {
    if (word.value === null) return { kind: 'unknown', why: '`alias` gives a name to something computed' };
    const at = word.value.indexOf('=');
    if (at > 0) scripts.push(word.value.slice(at + 1));
  }
  return scripts.length === 0 ? null : { kind: 'scripts', scripts, keep: true };
}

function unwrapSource(rest: readonly ShellWord[]): Wrapped | null {
  const file = rest[0]?.value;
  if (file === null || file === '/dev/stdin')
    return { kind: 'unknown', why: '`source` runs something computed' };
  return null;
}

function unwrapSwitchUser(rest: readonly ShellWord[]): Wrapped | null {
  const at = rest.findIndex((word) => word.value === '-c' || word.value === '--command');
  return at < 0 ? null : scriptOf(rest.slice(at + 1, at + 2), 'su', true);
}

const execActions = new Set(['-exec', '-execdir', '-ok', '-okdir']);

function unwrapFind(rest: readonly ShellWord[]): Wrapped | null {
  const programs: ShellWord[][] = [];
  let current: ShellWord[] | null = null;
  for (const word of rest) {
    if (current === null) {
      if (word.value !== null && execActions.has(word.value)) {
        current = [];
        programs.push(current);
      }
    } else if (word.value === ';' || word.value === '+') current = null;
    else current.push(word.value?.includes('{}') ? { ...unknownWord, source: word.source } : word);
  }
  return programs.length === 0 ? null : { kind: 'programs', programs, assignments: [], keep: true };
}
