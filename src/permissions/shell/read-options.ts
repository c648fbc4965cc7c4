import { append } from '../../contract/lists.ts';
import { literalWord } from './shell-word.ts';
import type { ShellWord } from './simple-command.ts';

/** The options of a program, as for `getopt_long`. */
export interface OptionSpec {
  /** Letters; `x:` takes a value, `x::` an optional attached one. */
  readonly short?: string;
  /** Names separated by spaces; `name:` takes a value, `name::` an optional one after `=`. */
  readonly long?: string;
}

/** A parsed option; `name` without dashes, `value` null if it has none. */
export interface ParsedOption {
  readonly name: string;
  readonly value: ShellWord | null;
}

/** The options before the first operand, and the words from there on. */
export interface ReadOptions {
  readonly options: readonly ParsedOption[];
  readonly operands: readonly ShellWord[];
  /** Why the end of the options is unknown. Then nothing else is reliable. */
  readonly problem: string | null;
}

/**
 * Parses the options before the first operand, like a program that runs the rest. Unknown options
 * and computed words that could be options are a problem: a guess might confuse a value with a
 * program.
 */
export function readOptions(words: readonly ShellWord[], spec: OptionSpec): ReadOptions {
  const options: ParsedOption[] = [];
  let index = 0;
  const done = (problem: string | null = null): ReadOptions => ({
    options,
    operands: words.slice(index),
    problem,
  });
  for (let word = words[0]; word !== undefined; word = words[index]) {
    if (word.value === null) return done(word.mayBeOption ? 'its options are computed' : null);
    if (word.value === '--') {
      index++;
      break;
    }
    if (!word.value.startsWith('-') || word.value === '-') break;
    const taken = readOption(word.value, words[index + 1], spec);
    if (taken === null) return done(`the option \`${word.value}\` is not known`);
    append(options, taken.options);
    index += taken.words;
  }
  return done();
}

function readOption(
  text: string,
  next: ShellWord | undefined,
  { short = '', long = '' }: OptionSpec,
): Taken | null {
  return text.startsWith('--')
    ? readLong(text.slice(2), next, long)
    : readCluster(text.slice(1), next, short);
}

interface Taken {
  readonly options: readonly ParsedOption[];
  /** Number of words consumed. */
  readonly words: number;
}

function readCluster(letters: string, next: ShellWord | undefined, short: string): Taken | null {
  const options: ParsedOption[] = [];
  for (let index = 0; index < letters.length; index++) {
    const letter = letters.charAt(index);
    const at = letter === ':' ? -1 : short.indexOf(letter);
    if (at < 0) return null;
    if (short[at + 1] !== ':') {
      options.push({ name: letter, value: null });
      continue;
    }
    const attached = letters.slice(index + 1);
    const optional = short[at + 2] === ':';
    if (attached !== '' || optional) {
      options.push({ name: letter, value: attached === '' ? null : literalWord(attached) });
      return { options, words: 1 };
    }
    options.push({ name: letter, value: next ?? null });
    return { options, words: 2 };
  }
  return { options, words: 1 };
}

function readLong(text: string, next: ShellWord | undefined, long: string): Taken | null {
  const given = text.replace(/=.*/s, '');
  const names = long.split(' ').filter((name) => name !== '');
  const found =
    names.find((name) => bare(name) === given) ?? only(names.filter((name) => name.startsWith(given)));
  if (found === undefined) return null;
  const attached = given === text ? null : literalWord(text.slice(given.length + 1));
  const name = bare(found);
  if (!found.endsWith(':') || found.endsWith('::') || attached !== null)
    return { options: [{ name, value: attached }], words: 1 };
  return { options: [{ name, value: next ?? null }], words: 2 };
}

function bare(name: string): string {
  return name.replace(/:+$/, '');
}

function only(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}
