import type { CommandRequest, CommandResult } from '../../permissions/sandbox/command-runner.ts';
import type { SetupSettings } from './setup-settings.ts';

/** How much of an output is told, in characters. */
const tailLength = 600;

/**
 * Runs the commands of a set-up one after the other, within the time they have together; says in one line how the first one
 * failed that did, with the end of what it said. Null where all went well.
 */
export async function runCommands(
  settings: Pick<SetupSettings, 'commands' | 'timeoutSeconds'>,
  signal: AbortSignal,
  run: (
    request: Pick<CommandRequest, 'command' | 'timeoutMs' | 'signal' | 'onOutput'>,
  ) => Promise<CommandResult>,
): Promise<string | null> {
  const until = performance.now() + settings.timeoutSeconds * 1_000;
  for (const command of settings.commands) {
    let tail = '';
    const timeoutMs = Math.max(1, until - performance.now());
    const result = await run({
      ...{ command, timeoutMs, signal },
      onOutput: (chunk) => {
        tail = (tail + chunk.toString('utf8')).slice(-4 * tailLength);
      },
    });
    const problem = failureOf(command, result, settings.timeoutSeconds);
    if (problem !== null) return `${problem}${tail.trim() === '' ? '' : `: ${oneLine(tail)}`}`;
  }
  return null;
}

function failureOf(command: string, result: CommandResult, seconds: number): string | null {
  if (result.timedOut) return `\`${command}\` was ended after the ${seconds} seconds allowed`;
  if (result.exitCode === 0) return null;
  return `\`${command}\` ended with ${result.exitCode ?? result.signal ?? 'a signal'}`;
}

/** The end of an output as one line, without what steers a terminal. */
function oneLine(text: string): string {
  const plain = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
    .replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
    .replaceAll(/[\u0000-\u0020\u007f]+/g, ' ')
    .trim();
  return plain.length > tailLength ? `…${plain.slice(-tailLength)}` : plain;
}
