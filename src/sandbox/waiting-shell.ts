import { ToolError } from '../contract/errors.ts';
import type { ProcessRequest } from './command-runner.ts';
import { quotedWord } from './quoted-word.ts';

/** What a waiting shell is to run. */
export interface ShellScript {
  /** Put before the command: never on a line of its own, which bash shows where it cannot read that line. Ends with `; ` or is empty. */
  readonly before: string;
  /** Holds no NUL. */
  readonly command: string;
}

/**
 * What a shell waits with: it reads two texts from descriptor 3, each up to a NUL, and goes on as the first, then as the second. Ends where
 * the descriptor does. Byte by byte, whatever the locale: in one of two-byte characters the NUL after half a one would be part of it.
 * Where the locale is not installed, bash has said so when it started, and would at each return to it.
 */
export const waitForScript = `{ ${['ANODE_BEFORE', 'ANODE_SCRIPT'].map((name) => `LC_ALL=C IFS= read -r -d "" ${name} <&3`).join(' && ')}; } 2>/dev/null || exit 125; eval "$ANODE_BEFORE"; eval "$ANODE_SCRIPT"`;

/** From here on it takes less time to start `cat` than to have bash read byte by byte, as it does of what it cannot seek in. */
const longCommand = 3_000;

/**
 * Stands behind a long command, which has no NUL to end it: without it, one that we died in the midst of writing would be run as far as
 * it came. It also keeps the line ends before it, which bash takes off what a program said.
 */
const whole = '\x04';

/** What is written to a waiting shell's descriptor 3, which is to be ended then, so that it goes on as the script. */
export function handOver({ before, command }: ShellScript): string {
  const rest = `exec 3<&-; unset ANODE_BEFORE; ${before}`;
  if (command.length < longCommand) return `${rest}\0${command}\0`;
  const end = `$'\\x04'`;
  const read = `ANODE_SCRIPT=$(cat <&3); [[ $ANODE_SCRIPT == *${end} ]] || exit 125; ANODE_SCRIPT=\${ANODE_SCRIPT%${end}}; `;
  return `${read}${rest}\0\0${command}${whole}`;
}

/**
 * The words after a shell's own, which goes by `bash` in its errors. Without `--norc` it would read start-up files: it takes the
 * sockets that Node gives it for a remote shell's (Bash manual, "Bash Startup Files").
 */
export const shellWords = (script: string): readonly string[] => ['--norc', '-c', script, 'bash'];

/**
 * What a waiting shell becomes: the command, in its folder and with its variables, so that the numbers of lines in errors are its own.
 * With `alone` nothing stays above it: a program that is asked to end is asked itself.
 */
export function scriptFor(
  { command, cwd, env = {} }: ProcessRequest,
  { alone }: { alone: boolean },
): ShellScript {
  requireRunnable(command);
  const variables = Object.entries(env).map(([name, value]) => `export ${name}=${quotedWord(value)}; `);
  return {
    before: `cd -- ${quotedWord(cwd)} || exit 126; unset OLDPWD; ${variables.join('')}`,
    command: alone ? `exec bash ${shellWords(command).map(quotedWord).join(' ')}` : command,
  };
}

/** Linux takes no argument over 128 KiB (execve(2), MAX_ARG_STRLEN), and something is put before this one, in bytes. */
const longestCommand = 120 * 1024;

/** Throws `ToolError` (`invalid_input`) for a command that no shell can be started with: the system would only say E2BIG. */
function requireRunnable(command: string): void {
  if (command.includes('\0'))
    throw new ToolError('invalid_input', 'The command holds a NUL character; leave it out.');
  if (Buffer.byteLength(command) > longestCommand)
    throw new ToolError(
      'invalid_input',
      'The command is too long for the system, which takes about 120 KiB. Write what is long to a file with create_file.',
    );
}
