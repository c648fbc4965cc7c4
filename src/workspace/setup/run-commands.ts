import { stripVTControlCharacters } from 'node:util';
import { monotonicMs } from '../../contract/monotonic-ms.ts';
import type { CommandRequest, CommandResult } from '../../sandbox/command-runner.ts';
import type { SetupSettings } from './setup-settings.ts';

/**
 * Characters of a failed command's output to report: of its start, with the cause, and of its end.
 */
const headLength = 300;
const tailLength = 600;

/**
 * Runs the commands of a set-up in sequence within their common time limit. Returns the first
 * failure in one line with the end of its output; null on success.
 */
export async function runCommands(
  settings: Pick<SetupSettings, 'commands' | 'timeoutSeconds'>,
  signal: AbortSignal,
  run: (
    request: Pick<CommandRequest, 'command' | 'timeoutMs' | 'signal' | 'onOutput'>,
  ) => Promise<CommandResult>,
): Promise<string | null> {
  const until = monotonicMs() + settings.timeoutSeconds * 1_000;
  for (const command of settings.commands) {
    let head = '';
    let tail = '';
    const timeoutMs = Math.max(1, until - monotonicMs());
    const result = await run({
      ...{ command, timeoutMs, signal },
      onOutput: (chunk) => {
        const text = chunk.toString('utf8');
        if (head.length < 2 * headLength) head += text.slice(0, 2 * headLength);
        tail = (tail + text).slice(-4 * tailLength);
      },
    });
    const problem = failureOf(command, result, settings.timeoutSeconds);
    if (problem !== null) return `${problem}${tail.trim() === '' ? '' : `: ${shortened(head, tail)}`}`;
  }
  return null;
}

function failureOf(command: string, result: CommandResult, seconds: number): string | null {
  if (result.timedOut) return `\`${command}\` was ended after the ${seconds} seconds allowed`;
  if (result.exitCode === 0) return null;
  return `\`${command}\` ended with ${result.exitCode ?? result.signal ?? 'a signal'}`;
}

/** Shortens an output to one line; omits the middle of a long one. */
function shortened(head: string, tail: string): string {
  const end = oneLine(tail);
  if (tail.startsWith(head) && end.length <= headLength + tailLength) return end;
  return `${oneLine(head).slice(0, headLength)} … ${end.slice(-tailLength)}`;
}

/** Joins a text into one line without terminal codes and npm's error prefix. */
function oneLine(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/\bnpm (?:error|ERR!) ?/g, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
