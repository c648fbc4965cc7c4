import { describe, expect, it } from 'vitest';
import type { CommandResult } from '../../../src/permissions/sandbox/command-runner.ts';
import { runCommands } from '../../../src/workspace/setup/run-commands.ts';

const failed: CommandResult = { exitCode: 1, signal: null, timedOut: false, durationMs: 1 };

const problemOf = (...chunks: string[]) =>
  runCommands({ commands: ['npm ci'], timeoutSeconds: 5 }, new AbortController().signal, async (request) => {
    for (const chunk of chunks) request.onOutput?.(Buffer.from(chunk));
    return failed;
  });

describe('what is told of a set-up that failed', () => {
  it('is all that it said, on one line, without what npm sets before each', async () => {
    expect(
      await problemOf('npm error code EUSAGE\n', '\u001b[31mnpm error\u001b[0m a lock file is missing\n'),
    ).toBe('`npm ci` ended with 1: code EUSAGE a lock file is missing');
  });

  it('is the beginning, where the cause stands, and the end of what is long', async () => {
    const problem = await problemOf('the cause\n', 'usage '.repeat(2_000), 'the end\n');
    expect(problem).toMatch(/^`npm ci` ended with 1: the cause usage .* … .*usage the end$/);
    expect(problem?.length).toBe('`npm ci` ended with 1: '.length + 300 + 3 + 600);
  });
});
