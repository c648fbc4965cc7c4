import { quotedWord } from '../shell/quoted-word.ts';
import type { ProcessRequest } from './command-runner.ts';
import { requireRunnable } from './require-runnable.ts';

/** What a shell waits with: it reads from descriptor 3 up to a NUL, and goes on as what it read. Ends where the descriptor does. */
export const waitForScript = 'IFS= read -r -d "" script <&3 || exit 125; eval "$script"';

/** From here on it takes less time to start `cat` than to have bash read byte by byte, as it does of what it cannot seek in. */
const longScript = 3_000;

/** What is written to a waiting shell's descriptor 3, which is to be ended then, so that it goes on as `script`. */
export function handOver(script: string): string {
  if (script.length < longScript) return `exec 3<&-; unset script; ${script}\0`;
  return `script=$(cat <&3) || exit 125; exec 3<&-; eval "unset script; $script"\0${script}`;
}

/**
 * The words after a shell's own, which goes by `bash` in its errors. Without `--norc` it would read start-up files: it takes the
 * sockets that Node gives it for a remote shell's (Bash manual, "Bash Startup Files").
 */
export const shellWords = (script: string): readonly string[] => ['--norc', '-c', script, 'bash'];

/**
 * What a waiting shell becomes: the command, in its folder and with its variables, all before it on its first line, so that the
 * numbers of lines in errors are its own. With `alone` nothing stays above it: a program that is asked to end is asked itself.
 */
export function scriptFor({ command, cwd, env = {} }: ProcessRequest, { alone }: { alone: boolean }): string {
  requireRunnable(command);
  const variables = Object.entries(env).map(([name, value]) => `export ${name}=${quotedWord(value)}; `);
  const body = alone ? `exec bash ${shellWords(command).map(quotedWord).join(' ')}` : command;
  return `cd -- ${quotedWord(cwd)} || exit 126; unset OLDPWD; ${variables.join('')}${body}`;
}
