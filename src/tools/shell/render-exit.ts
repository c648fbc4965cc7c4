import { constants } from 'node:os';
import type { CommandResult } from '../../sandbox/command-runner.ts';

/** Signals that kill programs. SIGHUP is missing: git exits with its 129 for a wrong option. */
const fatal = /^SIG(?:INT|QUIT|ILL|TRAP|ABRT|BUS|FPE|KILL|SEGV|PIPE|ALRM|TERM|XCPU|XFSZ|SYS)$/;

const numbers: Readonly<Record<string, number>> = constants.signals;
const names = new Map(
  Object.entries(numbers).flatMap(([name, number]) =>
    fatal.test(name) ? [[128 + number, name] as const] : [],
  ),
);

/**
 * Renders the end of a command: `exit code 3` or `exit code 137 (SIGKILL)`. A sandbox reports only
 * the shell's code for a signal (Bash manual, "Exit Status"), so the text is the same without one.
 */
export function renderExit({ exitCode, signal }: Pick<CommandResult, 'exitCode' | 'signal'>): string {
  const number = signal === null ? undefined : numbers[signal];
  const code = exitCode ?? (number === undefined ? null : 128 + number);
  if (code === null) return `ended by ${signal ?? 'a signal'}`;
  const name = names.get(code);
  return `exit code ${code}${name === undefined ? '' : ` (${name})`}`;
}

/** Describes the end of a process as a clause. */
export function describeEnd({
  exitCode,
  signal,
}: {
  readonly exitCode: number | null;
  readonly signal: string | null;
}): string {
  return exitCode === null ? `was ended by ${signal ?? 'a signal'}` : `ended with exit code ${exitCode}`;
}
