import { append } from '../../contract/lists.ts';
import { literalWord } from './shell-word.ts';
import type { ShellWord } from './simple-command.ts';

/** The options of a program, as `getopt_long` is told of them. */
export interface OptionSpec {
  /** Letters; `x:` takes a value, `x::` one that is attached to it or left out. */
  readonly short?: string;
  /** Names, apart by spaces; `name:` takes a value, `name::` one after `=` or none. */
  readonly long?: string;
}

/** One option that was given; `name` without dashes, `value` null where it has none. */
export interface GivenOption {
  readonly name: string;
  readonly value: ShellWord | null;
}

/** What stands before the first word that is no option, and the words from there on. */
export interface ReadOptions {
  readonly options: readonly GivenOption[];
  readonly operands: readonly ShellWord[];
  /** Why it is not known where the options end; then nothing else can be relied on. */
  readonly problem: string | null;
}

/**
 * Reads the options before the first operand, as a program does that hands the rest on to another. An option
 * that the table does not have, or a computed word that could be one, is a problem: a guess would tell a
 * value from a program at random.
 */
export function readOptions(words: readonly ShellWord[], spec: OptionSpec): ReadOptions {
  const options: GivenOption[] = [];
  let index = 0;
  const done = (problem: string | null = null): ReadOptions => ({
    options,
    operands: words.slice(index),
    problem,
  });
  while (index < words.length) {
    const word = words[index];
    if (word === undefined) break;
    if (word.value === null) return done(word.mayBeOption ? 'its options are computed' : null);
    if (word.value === '--') {
      index++;
      break;
    }
    if (!word.value.startsWith('-') || word.value === '-') break;
    const taken = word.value.startsWith('--')
      ? readLong(word.value.slice(2), words[index + 1], spec.long ?? '')
      : readCluster(word.value.slice(1), words[index + 1], spec.short ?? '');
    if (taken === null) return done(`the option \`${word.value}\` is not known`);
    append(options, taken.options);
    index += taken.words;
  }
  return done();
}

interface Taken {
  readonly options: readonly GivenOption[];
  /** How many words it took. */
  readonly words: number;
}

function readCluster(letters: string, next: ShellWord | undefined, short: string): Taken | null {
  const options: GivenOption[] = [];
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
  const [given = '', ...rest] = text.split('=');
  const names = long.split(' ').filter((name) => name !== '');
  const found =
    names.find((name) => bare(name) === given) ?? only(names.filter((name) => name.startsWith(given)));
  if (found === undefined) return null;
  const attached = rest.length === 0 ? null : literalWord(rest.join('='));
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
