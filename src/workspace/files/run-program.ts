import { execFile } from 'node:child_process';
import { errorCode } from './open-confined.ts';

/** Result of a system program. */
interface ProgramEnd {
  readonly failed: boolean;
  readonly output: string;
  /** First 2,000 characters of standard error. */
  readonly errors: string;
}

/**
 * Runs a system program with PATH as its only variable, so its output is English and no setting
 * applies. Rejects if it cannot be started, and with an `AbortError` on `signal`.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<ProgramEnd> {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  // A hostile tree may cause one line of output per file.
  const settings = { env, signal, maxBuffer: Number.POSITIVE_INFINITY };
  return new Promise((resolve, fail) => {
    execFile(program, [...args], settings, (error, output, errors) => {
      if (errorCode(error) !== undefined) fail(error);
      else resolve({ failed: error !== null, output, errors: errors.trim().slice(0, 2_000) });
    });
  });
}
