import { constants } from 'node:os';
import type { CommandResult } from '../../sandbox/command-runner.ts';

/** Signals by which programs die. Not SIGHUP: its 129 is what git says of a wrong option. */
const fatal = /^SIG(?:INT|QUIT|ILL|TRAP|ABRT|BUS|FPE|KILL|SEGV|PIPE|ALRM|TERM|XCPU|XFSZ|SYS)$/;

const numbers: Readonly<Record<string, number>> = constants.signals;
const names = new Map(
  Object.entries(numbers).flatMap(([name, number]) =>
    fatal.test(name) ? [[128 + number, name] as const] : [],
  ),
);

/**
 * How a command ended, as `exit code 3` or `exit code 137 (SIGKILL)`: a sandbox tells only the code that a shell makes of a
 * signal (Bash manual, "Exit Status"), and what stands here is the same without one.
 */
export function exitWords({ exitCode, signal }: Pick<CommandResult, 'exitCode' | 'signal'>): string {
  const number = signal === null ? undefined : numbers[signal];
  const code = exitCode ?? (number === undefined ? null : 128 + number);
  if (code === null) return `ended by ${signal ?? 'a signal'}`;
  const name = names.get(code);
  return `exit code ${code}${name === undefined ? '' : ` (${name})`}`;
}
