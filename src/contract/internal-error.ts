import { inspect } from 'node:util';
import { RunStopped } from './errors.ts';
import type { StopReason } from './stop-reason.ts';
import { isFullDisk } from './system-reason.ts';

/** Characters of an error's message in a report, and of its whole cause in the record. */
const most = { message: 500, cause: 10_000 };

/** The stop reason of an error that nothing expected: a defect of ours, or a refusal of the system. At most 500 characters of its message. */
export function internalError(error: unknown): StopReason {
  const what = error instanceof Error ? error.message : String(error);
  const isSystem = error instanceof Error && 'syscall' in error;
  const name = error instanceof Error && !isSystem ? `${error.name}: ` : '';
  const said = `${name}${what}`.slice(0, most.message).trimEnd();
  const stop = /[.!?…]$/u.test(said) ? '' : '.';
  const who = isSystem ? 'The system failed the run' : 'Anode CI itself failed';
  const cure = isFullDisk(error) ? ' Free space on that disk.' : '';
  return {
    kind: 'internal_error',
    message: `${who}: ${said}${stop}${cure} What the run did before is kept.`,
  };
}

/** The error with its stack and its causes, for the record. Its reader redacts it. */
export function describeDefect(error: unknown): string {
  const cause = error instanceof RunStopped && error.cause !== undefined ? error.cause : error;
  // Nothing of ours is to be mended there.
  return (isFullDisk(cause) ? String(cause) : inspect(cause)).slice(0, most.cause);
}
