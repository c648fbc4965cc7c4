import { destroys } from './destructive.ts';
import { type ReadOnlyProgram, readOnlyPrograms } from './read-only-programs.ts';
import { commandsWithin } from './runners.ts';
import type { ShellWord, SimpleCommand } from './simple-command.ts';

/** The visible effect of a simple command. `reason` is a clause about the command. */
export interface Judgement {
  readonly kind: 'read_only' | 'destructive' | 'other';
  readonly reason: string;
}

/**
 * Classifies a simple command: proven to read only, known to destroy, or neither. `start` is the
 * folder its script starts in, '' for the workspace. Pure.
 */
export function judgeCommand(command: SimpleCommand, start = ''): Judgement {
  const within = commandsWithin(command.words).map((words) => destroys({ ...command, words }));
  const destroyed = destroys(command) ?? within.find((found) => found !== null) ?? null;
  if (destroyed !== null) return { kind: 'destructive', reason: destroyed };
  const doubt = doubtOf(command, start);
  return doubt === null ? { kind: 'read_only', reason: 'only reads' } : { kind: 'other', reason: doubt };
}

/**
 * Returns true if a computed word may be an option of a program that has risky ones. The command
 * may then differ from what a rule matches.
 */
export function mayHaveOtherOptions({ words: [program, ...rest] }: SimpleCommand): boolean {
  const known = readOnlyPrograms.get(trustedName(program?.value ?? null) ?? '');
  if (known !== undefined && Object.keys(known).length === 0) return false;
  const end = rest.findIndex(({ value }) => value === '--');
  return rest
    .slice(0, end < 0 ? undefined : end)
    .some(({ value, mayBeOption }) => value === null && mayBeOption);
}

function doubtOf(command: SimpleCommand, start: string): string | null {
  const [program, ...rest] = command.words;
  if (program === undefined || command.assignments.length > 0) return 'sets variables that programs may heed';
  const name = trustedName(program.value);
  if (name === null) return 'runs a program by a path or a computed name';
  const known = readOnlyPrograms.get(name);
  if (known === undefined) return 'is not known to read only';
  if (rest.some((word) => word.fromCommand)) return 'takes the output of a command as an argument';
  // A repository inside the repository may have configuration that runs programs.
  if (name === 'git' && (start !== '' || command.folders?.join() !== '')) return 'runs git in another folder';
  return Object.keys(known).length === 0 ? null : argumentDoubt(known, rest);
}

function argumentDoubt(known: ReadOnlyProgram, rest: readonly ShellWord[]): string | null {
  if (rest.some((word) => word.value === null && word.mayBeOption))
    return 'has computed arguments that may be options';
  const values = rest.map((word) => word.value ?? word.source);
  const danger = dangerIn(known, values);
  if (danger !== undefined) return `does more than read with \`${danger}\``;
  if (known.check === undefined) return null;
  if (rest.some((word) => word.value === null && !isPath(word.source))) return 'has computed arguments';
  return known.check(values) ? null : 'is not proven to read only with these arguments';
}

function dangerIn({ danger, dangerLetters }: ReadOnlyProgram, values: readonly string[]): string | undefined {
  const end = values.indexOf('--');
  const options = end < 0 ? values : values.slice(0, end);
  const cluster = dangerLetters === undefined ? undefined : new RegExp(`^-[A-Za-z0-9]*[${dangerLetters}]`);
  return options.find((value) => danger?.test(value) || cluster?.test(value));
}

/** Returns the name of a program of the system: a bare name, or one in a system folder. */
function trustedName(word: string | null): string | null {
  if (word === null) return null;
  const name = /^\/(?:usr\/)?bin\/([^/]+)$/.exec(word)?.[1] ?? word;
  return name.includes('/') ? null : name;
}

function isPath(source: string): boolean {
  return /^[\w./][\w./*?-]*$/.test(source);
}
