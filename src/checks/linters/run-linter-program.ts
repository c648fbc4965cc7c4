import { randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { quotedWord } from '../../sandbox/quoted-word.ts';
import type { FoundProgram, ProgramOutput } from './check-program.ts';
import type { LinterServices } from './edit-checks.ts';

/** Maximum bytes of output, and of standard error. */
const longestOutput = 4 * 1024 * 1024;
const longestErrors = 8 * 1024;

/** Why there is no output to read. */
export type ProgramFailure = 'missing' | 'hung' | 'too_much';

/**
 * Runs a program in the sandbox, once for each list of arguments, in the folder of its
 * configuration. The worst exit code is returned. The workspace is read-only: nothing that the
 * program writes survives. Rejects with the signal's reason.
 */
export async function runLinterProgram(
  found: FoundProgram,
  calls: readonly (readonly string[])[],
  context: LinterServices,
  stdin?: string,
): Promise<ProgramOutput | ProgramFailure> {
  const mark = `\x1e${randomBytes(8).toString('hex')}\x1e`;
  const pieces: Buffer[] = [];
  let bytes = 0;
  const result = await context.commands.run({
    command: scriptOf(found.executable, calls, mark),
    cwd: posix.join(context.workspace.root, found.folder),
    timeoutMs: context.editChecks.timeoutMs,
    signal: context.signal,
    env: { NO_COLOR: '1' },
    readOnlyWorkspace: true,
    stdin,
    onOutput: (chunk) => {
      bytes += chunk.length;
      if (bytes <= longestOutput) pieces.push(chunk);
    },
  });
  if (result.timedOut) return 'hung';
  if (bytes > longestOutput) return 'too_much';
  if (result.exitCode === 127 || result.exitCode === 126) return 'missing';
  const text = Buffer.concat(pieces).toString('utf8');
  const at = text.lastIndexOf(mark);
  if (at === -1) return 'hung';
  return { exitCode: result.exitCode, stdout: text.slice(0, at), stderr: text.slice(at + mark.length) };
}

/** Standard output as it comes, then the mark and the beginning of standard error. */
function scriptOf(executable: string, calls: readonly (readonly string[])[], mark: string): string {
  const commands = calls.map((args) => `${[executable, ...args].map(quotedWord).join(' ')} || rc=$?`);
  return [
    'exec 3>&1; set -o pipefail',
    `said=$({ rc=0; ${commands.join('; ')}; exit $rc; } 2>&1 >&3 3>&- | { head -c ${longestErrors}; cat >/dev/null; }); rc=$?`,
    `printf '%s' ${quotedWord(mark)} "$said"; exit $rc`,
  ].join('\n');
}
