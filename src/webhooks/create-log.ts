import { type DestinationStream, type Logger, pino } from 'pino';
import type { Environment } from '../config/environment.ts';
import { showDirections } from '../contract/untrusted.ts';

export type Log = Logger;

/** Fields that are never written, wherever they stand up to two levels deep. */
const secrets = ['token', 'privateKey', 'webhookSecret', 'authorization', 'secret', 'password'];

/** Standard output for a log, and for whole lines of another process's log beside it. */
export const standardOutput = (): DestinationStream => pino.destination({ dest: 1, sync: true });

/**
 * A log of one JSON object a line on standard output, without secrets, without the requests inside API errors, and without characters that
 * turn the direction of text. `redactLine` takes out
 * of a whole line what the names of fields do not tell, and leaves it JSON.
 */
export function createLog(
  level: Environment['logLevel'],
  destination?: DestinationStream,
  redactLine: (line: string) => string = (line) => line,
): Log {
  const options = {
    level,
    base: null,
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
    serializers: { err: describeError },
    hooks: { streamWrite: (line: string) => showDirections(redactLine(line)) },
  };
  return pino(options, destination);
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const status = 'status' in error && typeof error.status === 'number' ? { status: error.status } : {};
  return { name, message, ...status, stack, cause: describeError(cause) };
}
