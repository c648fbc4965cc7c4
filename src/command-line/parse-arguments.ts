import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ConfigError } from '../contract/errors.ts';
import { usage } from './usage.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Options by name, and what stood without one. */
export interface ParsedArguments {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

/** Parses a command's arguments; anything unknown is a `ConfigError` that ends with the command's usage. */
export function parseArguments(command: string, args: readonly string[], options: Options): ParsedArguments {
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    return { values: parsed.values as ParsedArguments['values'], positionals: parsed.positionals };
  } catch (error) {
    throw usageError(command, error instanceof Error ? error.message : String(error));
  }
}

/** A wrong use of the command line: what was wrong, then how the command is used. */
export function usageError(command: string, problem: string): ConfigError {
  return new ConfigError(`anode ${command}: ${problem}\n\n${usage[command] ?? usage.anode}`);
}

/** One of a few words, or a usage error that lists them. */
export function oneOf<Word extends string>(
  command: string,
  option: string,
  value: string | boolean | undefined,
  words: readonly Word[],
  fallback: Word,
): Word {
  if (value === undefined) return fallback;
  const word = words.find((one) => one === value);
  if (word === undefined) throw usageError(command, `--${option} takes ${words.join(', ')}, not "${value}".`);
  return word;
}

/** A positive whole number, or null when the option was left out. */
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
