import type { ShellWord, SimpleCommand } from './simple-command.ts';
import { programName } from './unwrap.ts';

/**
 * The texts by which a rule may allow a simple command: with its variables, and its program as written.
 * Empty where the program is only known when it runs.
 */
export function exactTexts(command: SimpleCommand): string[] {
  const [program] = command.words;
  if (program !== undefined && (program.value === null || /\s/.test(program.value))) return [];
  const quoted = [...command.assignments, ...command.words.map(quotedWord)].join(' ');
  const asWritten = [...command.assignments, ...command.words.map((word) => word.source)].join(' ');
  return [...new Set([quoted, asWritten])];
}

/**
 * The texts by which a rule may hold a simple command back: also without its variables, by the program's
 * bare name, and behind its wrappers.
 */
export function looseTexts(command: SimpleCommand): string[] {
  const values = command.words.map((word) => word.value ?? word.source);
  const [program = '', ...rest] = values;
  const bare = [programName(program), ...rest].join(' ');
  const wrapped = [...command.wrappers, bare].join(' ');
  return [...new Set([...exactTexts(command), values.join(' '), bare, wrapped])];
}

/** One line that shows a simple command to a person. */
export function shownCommand(command: SimpleCommand): string {
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
