import type { ProgramAnswer } from '../../permissions/gate/ask-programs.ts';
import { createRedactor } from '../../redaction/redact.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import { quotedWord } from '../../sandbox/quoted-word.ts';
import type { StoredProgram } from '../../workspace/storage/stored-programs.ts';

/** Maximum bytes of standard error in an answer. */
const maxStderrBytes = 64 * 1024;

/**
 * Asks a program once. `stdin` is the question; exit code and standard error are the answer. The
 * values of `variables` are removed from the answer. Rejects if the signal aborts.
 */
export async function startProgram(
  runner: CommandRunner,
  { words, folder }: StoredProgram,
  question: {
    readonly variables: Readonly<Record<string, string>>;
    readonly env: Readonly<Record<string, string>>;
    readonly stdin: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
): Promise<ProgramAnswer> {
  const output: Buffer[] = [];
  let size = 0;
  const { exitCode, signal, timedOut } = await runner.run({
    command: `exec ${words.map(quotedWord).join(' ')} >/dev/null`,
    cwd: folder,
    timeoutMs: question.timeoutMs,
    signal: question.signal,
    env: { ...question.variables, ...question.env },
    stdin: question.stdin,
    readOnlyWorkspace: true,
    onOutput: (chunk) => {
      if (size < maxStderrBytes) output.push(chunk.subarray(0, maxStderrBytes - size));
      size += chunk.length;
    },
  });
  const hide = createRedactor(Object.values(question.variables));
  const stderr = hide(Buffer.concat(output).toString('utf8'));
  const problem = timedOut
    ? `did not answer within ${question.timeoutMs / 1_000} seconds`
    : problemOf(exitCode, signal);
  return { exitCode, stderr, problem };
}

/** Returns why an exit is not an answer; null if it is one. */
function problemOf(exitCode: number | null, signal: string | null): string | null {
  if (exitCode === null) return `was ended by ${signal ?? 'a signal'}`;
  if (exitCode === 126 || exitCode === 127) return `could not be run (exit code ${exitCode})`;
  return exitCode > 128 ? `was ended by a signal, or ended with exit code ${exitCode}` : null;
}
