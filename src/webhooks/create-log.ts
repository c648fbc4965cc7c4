import { type DestinationStream, type Logger, pino } from 'pino';
import type { Environment } from '../config/environment.ts';
import { showDirections } from '../contract/untrusted.ts';

export type Log = Logger;

/** Fields that are redacted, up to two levels deep. */
const secrets = ['token', 'privateKey', 'webhookSecret', 'authorization', 'secret', 'password'];

/** Returns standard output, for a log and for whole lines of another process's log. */
export const standardOutput = (): DestinationStream => pino.destination({ dest: 1, sync: true });

/**
 * Creates a log of JSON lines, without secrets, requests of API errors, or characters that change
 * text direction. `redactLine` redacts further secrets in a whole line and leaves it JSON.
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
