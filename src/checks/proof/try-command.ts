import { stripVTControlCharacters } from 'node:util';
import { monotonicMs } from '../../contract/monotonic-ms.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import type { Trial } from './prove-all.ts';

/** A command whose exit code is 0 if a tree is in order. */
export interface CommandTrial {
  readonly command: string;
  readonly timeoutMs: number;
  /** The tree's top, where it is run. */
  readonly root: string;
  readonly commands: Pick<CommandRunner, 'run'>;
  readonly signal: AbortSignal;
  /** Appends to the run ledger: each trial with the end of its output. */
  readonly record: (entry: RunEntry) => void;
}

/** Bytes of the output's end that are read, and characters that the record gets. */
const mostOutput = 16 * 1024;
const mostRecorded = 4_000;

/** Runs it once. A time-out or an abort gives no result. */
export async function tryCommand(trial: CommandTrial): Promise<Trial> {
  const { command, timeoutMs, root, commands, signal, record } = trial;
  const displayed = command.replaceAll(/\s+/gu, ' ').slice(0, 100);
  const say = (result: Trial['result'], said: string) => ({ result, said, command: displayed });
  const started = monotonicMs();
  let output = Buffer.alloc(0);
  const end = (exit_code: number | null, tried: Trial): Trial => {
    record({
      ...{ type: 'validation', check: 'command', command, files: [] },
      ...{ result: tried.result, exit_code, duration_ms: monotonicMs() - started },
      output: stripVTControlCharacters(output.toString('utf8')).slice(-mostRecorded),
    });
    return tried;
  };
  try {
    const { exitCode, timedOut } = await commands.run({
      ...{ command, timeoutMs, signal, cwd: root },
      env: { CI: 'true' },
      onOutput: (chunk) => {
        output = Buffer.concat([output, chunk]).subarray(-mostOutput);
      },
    });
    if (timedOut) return end(null, say('not_run', `did not end within ${timeoutMs / 1000} seconds.`));
    if (exitCode === 0) return end(0, say('passed', 'passes with it.'));
    if (exitCode === 126 || exitCode === 127) return end(exitCode, say('not_run', 'could not be started.'));
    const quote = tellingLine(output.toString('utf8'));
    return end(exitCode, { ...say('failed', 'fails with it.'), quote: quote || undefined });
  } catch (error) {
    if (!signal.aborted) throw error;
    return { result: 'not_run', said: 'There was no time left to check it.' };
  }
}

/** The most telling line of a failure: the last that mentions one, else the last. */
function tellingLine(output: string): string {
  const lines = stripVTControlCharacters(output)
    .split(/[\r\n]+/u)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const line = lines.findLast((one) => /error|fail|assert|expected/iu.test(one)) ?? lines.at(-1) ?? '';
  return line.slice(0, 200);
}
