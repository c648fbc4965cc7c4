import { execFile } from 'node:child_process';
import { errorCode } from './open-confined.ts';

/** How a program of the system ended. */
export interface ProgramEnd {
  readonly failed: boolean;
  readonly output: string;
  /** The first 2,000 characters of its errors. */
  readonly words: string;
}

/**
 * Runs a program of the system with no variables but the path, so that it speaks English and follows no setting.
 * Rejects where it cannot be started, and with an `AbortError` once `signal` ends it.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<ProgramEnd> {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  // A tree of a stranger may give a line for each of its files.
  const settings = { env, signal, maxBuffer: Number.POSITIVE_INFINITY };
  return new Promise((settle, fail) => {
    execFile(program, [...args], settings, (error, output, words) => {
      if (errorCode(error) !== undefined) fail(error);
      else settle({ failed: error !== null, output, words: words.trim().slice(0, 2_000) });
    });
  });
}
