import { ToolError } from '../contract/errors.ts';

/** Linux takes no argument over 128 KiB (execve(2), MAX_ARG_STRLEN), and something is put before this one, in bytes. */
const longestCommand = 120 * 1024;

/** Throws `ToolError` (`invalid_input`) for a command that no shell can be started with: the system would only say E2BIG. */
export function requireRunnable(command: string): void {
  if (command.includes('\0'))
    throw new ToolError('invalid_input', 'The command holds a NUL character; leave it out.');
  if (Buffer.byteLength(command) > longestCommand)
    throw new ToolError(
      'invalid_input',
      'The command is too long for the system, which takes about 120 KiB. Write what is long to a file with create_file.',
    );
}
