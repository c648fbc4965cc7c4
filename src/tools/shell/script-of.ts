import { quotedWord } from './quoted-word.ts';

const shells = new Set(['bash', 'sh', 'zsh', '/bin/bash', '/bin/sh', '/usr/bin/bash', '/usr/bin/env']);

/**
 * The script a command given as an argument list means: `["bash", "-lc", script]` is the script itself, any
 * other list is quoted word by word.
 */
export function scriptOf(command: readonly string[]): string {
  const [program = '', flag = '', script, ...more] = command;
  if (shells.has(program) && /^-l?c$/.test(flag) && script !== undefined && more.length === 0) return script;
  return command.map(quotedWord).join(' ');
}
