import { stripVTControlCharacters } from 'node:util';
import type { CommandRequest, CommandResult } from '../../sandbox/command-runner.ts';
import type { SetupSettings } from './setup-settings.ts';

/** How much of an output is told, in characters: of its beginning, where a cause stands, and of its end. */
const headLength = 300;
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
    let head = '';
    let tail = '';
    const timeoutMs = Math.max(1, until - performance.now());
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

/** An output as one line; the middle is left out of one that is long. */
function shortened(head: string, tail: string): string {
  const end = oneLine(tail);
  if (tail.startsWith(head) && end.length <= headLength + tailLength) return end;
  return `${oneLine(head).slice(0, headLength)} … ${end.slice(-tailLength)}`;
}

/** A text as one line, without what steers a terminal and the word that npm sets before each line of an error. */
function oneLine(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/\bnpm (?:error|ERR!) ?/g, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
