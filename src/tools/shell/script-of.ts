import { quotedWord } from '../../sandbox/quoted-word.ts';

const shells = new Set(['bash', 'sh', 'zsh', '/bin/bash', '/bin/sh', '/usr/bin/bash']);

/**
 * Returns the script of a command given as a list. `["bash", "-lc", script]` is the script itself,
 * and so is a single argument of several words. Other lists are quoted word by word.
 */
export function scriptOf(command: readonly string[]): string {
  const [program = '', flag = '', script, ...more] = command;
  if (shells.has(program) && /^-l?c$/.test(flag) && script !== undefined && more.length === 0) return script;
  if (command.length === 1 && /\s/.test(program)) return program;
  return command.map(quotedWord).join(' ');
}

/** Returns the script of a command given as text, which may be the JSON of such a list. */
export function scriptIn(command: string): string {
  if (!/^\s*\["/.test(command)) return command;
  try {
    const words: unknown = JSON.parse(command);
    return Array.isArray(words) && words.every((word) => typeof word === 'string')
      ? scriptOf(words)
      : command;
  } catch {
    return command;
  }
}
