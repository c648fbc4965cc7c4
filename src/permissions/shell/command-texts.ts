import { withoutGlobalOptions } from './global-options.ts';
import { literalVariants } from './literal-variables.ts';
import { commandsWithin } from './runners.ts';
import { programName } from './shell-word.ts';
import type { ShellWord, SimpleCommand } from './simple-command.ts';

/**
 * Returns the texts by which a rule may allow a simple command: with its variables, and its program
 * as written. Empty if the program is computed.
 */
export function exactTexts(command: SimpleCommand): string[] {
  const [program] = command.words;
  if (program !== undefined && (program.value === null || /\s/.test(program.value))) return [];
  const quoted = [...command.assignments, ...command.words.map(quotedWord)].join(' ');
  const asWritten = [...command.assignments, ...command.words.map((word) => word.source)].join(' ');
  return [...new Set([quoted, asWritten])];
}

/**
 * Returns the texts by which a rule may restrict a simple command. Adds forms without variables,
 * with the program's bare name, with its wrappers, and without options before the subcommand.
 */
export function looseTexts(command: SimpleCommand): string[] {
  const within = commandsWithin(command.words).map((words) => ({ ...command, words, assignments: [] }));
  return [...new Set([...literalVariants(command), ...within].flatMap(textsOf))];
}

function textsOf(command: SimpleCommand): string[] {
  const values = command.words.map((word) => word.value ?? word.source);
  const [program = '', ...rest] = values;
  const bare = [programName(program), ...rest].join(' ');
  const wrapped = [...command.wrappers, bare].join(' ');
  const name = programName(program);
  const subcommands = withoutGlobalOptions(name, rest).map((words) => [name, ...words].join(' '));
  return [...exactTexts(command), values.join(' '), bare, wrapped, ...usualForm(name, rest), ...subcommands];
}

/** Returns the form that rules usually name: `rm -rf x` for `rm --recursive -v --force x`. */
function usualForm(name: string, rest: readonly string[]): string[] {
  if (name !== 'rm') return [];
  const end = rest.indexOf('--');
  const options = rest.slice(0, end < 0 ? undefined : end).filter((value) => value.startsWith('-'));
  const has = (letters: RegExp, long: string) =>
    options.some((value) => letters.test(value) || (value.length > 2 && long.startsWith(value)));
  const recursive = has(/^-[a-zA-Z]*[rR]/, '--recursive');
  const forced = has(/^-[a-zA-Z]*f/, '--force');
  const operands = rest.filter((value, index) => !options.includes(value) && index !== end);
  if (!recursive && !forced) return [];
  const forms = recursive && forced ? ['-rf', '-fr', '-r -f'] : [recursive ? '-r' : '-f'];
  return forms.map((flags) => ['rm', flags, ...operands].join(' '));
}

/** Returns a simple command as one line for a person. */
export function commandLine(command: SimpleCommand): string {
  const text = [...command.assignments, ...command.words.map((word) => word.source)]
    .join(' ')
    .replace(/\s+/g, ' ');
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

function quotedWord(word: ShellWord): string {
  if (word.value === null) return word.source;
  return /[\s'"]/.test(word.value) || word.value === ''
    ? `'${word.value.replaceAll("'", "'\\''")}'`
    : word.value;
}
