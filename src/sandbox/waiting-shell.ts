import { ToolError } from '../contract/errors.ts';
import type { ProcessRequest } from './command-runner.ts';
import { quotedWord } from './quoted-word.ts';

/** A script for a waiting shell. */
export interface ShellScript {
  /**
   * Text put before the command on its first line: bash prints an unreadable line in errors. Ends
   * with `; ` or is empty.
   */
  readonly before: string;
  /** Contains no NUL. */
  readonly command: string;
}

/**
 * The waiting script: reads two NUL-terminated texts from descriptor 3 and evaluates them in order.
 * Exits if the descriptor ends. Reads bytewise: in two-byte locales a NUL could become part of a
 * character. Errors are hidden, since bash repeats its complaint about a missing locale.
 */
export const waitForScript = `{ ${['ANODE_BEFORE', 'ANODE_SCRIPT'].map((name) => `LC_ALL=C IFS= read -r -d "" ${name} <&3`).join(' && ')}; } 2>/dev/null || exit 125; eval "$ANODE_BEFORE"; eval "$ANODE_SCRIPT"`;

/** From this length on, starting `cat` is faster than bash's bytewise reading. */
const longCommand = 3_000;

/**
 * Ends a long command, which has no NUL. A command cut off by our death is then not run. It also
 * preserves the line ends before it, which bash strips.
 */
const whole = '\x04';

/** Returns the text for a waiting shell's descriptor 3, which must then be closed. */
export function handOver({ before, command }: ShellScript): string {
  const rest = `exec 3<&-; unset ANODE_BEFORE; ${before}`;
  if (command.length < longCommand) return `${rest}\0${command}\0`;
  const end = `$'\\x04'`;
  const read = `ANODE_SCRIPT=$(cat <&3); [[ $ANODE_SCRIPT == *${end} ]] || exit 125; ANODE_SCRIPT=\${ANODE_SCRIPT%${end}}; `;
  return `${read}${rest}\0\0${command}${whole}`;
}

/**
 * Arguments of a shell named `bash` in errors. Without `--norc` it would read start-up files: it
 * takes Node's sockets for a remote shell's (Bash manual, "Bash Startup Files").
 */
export const shellArguments = (script: string): readonly string[] => ['--norc', '-c', script, 'bash'];

/**
 * Returns the script for a command in its folder with its variables. Line numbers in errors stay
 * the command's own. With `alone` the command replaces the shell, so that signals reach it
 * directly.
 */
export function scriptFor(
  { command, cwd, env = {} }: ProcessRequest,
  { alone }: { alone: boolean },
): ShellScript {
  requireRunnable(command);
  const variables = Object.entries(env).map(([name, value]) => `export ${name}=${quotedWord(value)}; `);
  return {
    before: `cd -- ${quotedWord(cwd)} || exit 126; unset OLDPWD; ${variables.join('')}`,
    command: alone ? `exec bash ${shellArguments(command).map(quotedWord).join(' ')}` : command,
  };
}

/**
 * In bytes. Linux takes no argument over 128 KiB (execve(2), MAX_ARG_STRLEN), and a prefix is
 * added.
 */
const longestCommand = 120 * 1024;

/**
 * Throws `ToolError` (`invalid_input`) for a command that cannot be started; the system would only
 * report E2BIG.
 */
function requireRunnable(command: string): void {
  if (command.includes('\0'))
    throw new ToolError('invalid_input', 'The command holds a NUL character; leave it out.');
  if (Buffer.byteLength(command) > longestCommand)
    throw new ToolError(
      'invalid_input',
      'The command is too long for the system, which takes about 120 KiB. Write long text to a file with create_file.',
    );
}
