import { type ParseArgsConfig, parseArgs } from 'node:util';
import { nearestKey } from '../config/nearest-key.ts';
import { presetProblem } from '../config/preset-names.ts';
import { ConfigError } from '../contract/errors.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Options by name, and positional arguments. */
export interface ParsedArguments {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

/**
 * Parses a command's arguments. Throws a `usageError` for unknown options and missing or excess
 * values.
 */
export function parseArguments(command: string, args: readonly string[], options: Options): ParsedArguments {
  // Not strict, so that errors have our own text.
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const problem = problemOf(token, options);
    if (problem !== null) throw usageError(command, problem);
  }
  return { values: values as ParsedArguments['values'], positionals };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function problemOf({ name, rawName, value, inlineValue }: OptionToken, options: Options): string | null {
  const type = Object.hasOwn(options, name) ? options[name]?.type : undefined;
  if (type === undefined) {
    const near = nearestKey(name, Object.keys(options));
    return `there is no option ${rawName}.${near === null ? '' : ` Did you mean --${near}?`}`;
  }
  if (type === 'boolean') return value === undefined ? null : `${rawName} takes no value, not "${value}".`;
  if (value === undefined) return `${rawName} needs a value behind it.`;
  if (inlineValue !== false || !value.startsWith('-') || value === '-') return null;
  // The next option was read as the value.
  const isOption = Object.hasOwn(options, value.replace(/^--|=.*$/gs, ''));
  const dashed = isOption ? '' : ` For one that begins with a dash write ${rawName}=${value}.`;
  return `${rawName} needs a value behind it.${dashed}`;
}

/** Returns a usage error: the problem in one line, then a reference to the help. */
export function usageError(command: string, problem: string): ConfigError {
  return new ConfigError(`anode ${command}: ${problem}\nHelp: anode help ${command}`);
}

/** Throws a usage error for positional arguments of a command that takes none. */
export function refuseWords(command: string, words: readonly string[], action?: string): void {
  if (words.length === 0) return;
  throw usageError(command, `${action ?? 'it'} takes no "${words.join(' ')}".`);
}

/** Returns the subcommand of a command; a usage error lists all and suggests the nearest. */
export function actionOf<Word extends string>(
  command: string,
  given: string | undefined,
  words: readonly Word[],
): Word {
  const found = words.find((word) => word === given);
  if (found !== undefined) return found;
  const all = listed(words, 'or');
  if (given === undefined) throw usageError(command, `it takes ${all}.`);
  const near = nearestKey(given, words);
  throw usageError(command, `there is no "${given}": it takes ${all}.${meant(near)}`);
}

/** Returns one of `words`; throws a usage error that lists them. */
export function oneOf<Word extends string>(
  [command, option]: readonly [string, string],
  value: string | boolean | undefined,
  words: readonly Word[],
  fallback: Word,
): Word {
  if (value === undefined) return fallback;
  const word = words.find((one) => one === value);
  if (word !== undefined) return word;
  const near = nearestKey(String(value), words);
  throw usageError(command, `--${option} takes ${words.join(', ')}, not "${value}".${meant(near)}`);
}

const meant = (near: string | null): string => (near === null ? '' : ` Did you mean ${near}?`);

/** `a, b or c`. */
function listed(words: readonly string[], last: string): string {
  const [first, ...others] = [...words].reverse();
  return others.length === 0 ? (first ?? '') : `${others.reverse().join(', ')} ${last} ${first}`;
}

/** Returns a positive whole number; null without the option. */
export function wholeNumber(
  command: string,
  option: string,
  value: string | boolean | undefined,
): number | null {
  if (value === undefined) return null;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) {
    throw usageError(command, `--${option} takes a whole number from 1, not "${value}".`);
  }
  return number;
}

/** Returns the value of `--preset`; throws a usage error for an unknown preset. */
export function knownPreset(command: string, word: string): string {
  const problem = presetProblem(word);
  if (problem !== null) throw usageError(command, `${problem}.`);
  return word;
}
