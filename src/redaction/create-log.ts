import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';
import { showDirections } from '../contract/untrusted.ts';
import { createLineRedactor } from './redact-value.ts';

/** Fields that are redacted, up to two levels deep. */
const secretFields = ['token', 'privateKey', 'webhookSecret', 'authorization', 'secret', 'password'];

/** Returns standard output, for a log and for whole lines of another process's log. */
export const standardOutput = (): DestinationStream => pino.destination({ dest: 1, sync: true });

/**
 * Creates a log of JSON lines, without secrets, requests of API errors, or characters that change
 * text direction. `secrets` are the values of this process that no line may have.
 */
export function createLog(
  level: LevelWithSilent,
  destination: DestinationStream,
  secrets: readonly string[],
): Logger {
  const redactLine = createLineRedactor(secrets);
  const options = {
    level,
    base: null,
    redact: {
      paths: secretFields.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      censor: '[redacted]',
    },
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
