import { describe, expect, it } from 'vitest';
import type { CommandResult } from '../../../src/sandbox/command-runner.ts';
import { runCommands } from '../../../src/workspace/setup/run-commands.ts';

const failed: CommandResult = { exitCode: 1, signal: null, timedOut: false, durationMs: 1 };

const problemOf = (...chunks: string[]) =>
  runCommands({ commands: ['npm ci'], timeoutSeconds: 5 }, new AbortController().signal, async (request) => {
    for (const chunk of chunks) request.onOutput?.(Buffer.from(chunk));
    return failed;
  });

describe('the message of a failed set-up', () => {
  it("is the whole output on one line, without npm's prefixes", async () => {
    expect(
      await problemOf('npm error code EUSAGE\n', '\u001b[31mnpm error\u001b[0m a lock file is missing\n'),
    ).toBe('`npm ci` ended with 1: code EUSAGE a lock file is missing');
  });

  it('is the beginning, where the cause is, and the end of a long output', async () => {
    const problem = await problemOf('the cause\n', 'usage '.repeat(2_000), 'the end\n');
    expect(problem).toMatch(/^`npm ci` ended with 1: the cause usage .* … .*usage the end$/);
    expect(problem?.length).toBe('`npm ci` ended with 1: '.length + 300 + 3 + 600);
  });
});

const ended = (result: Partial<CommandResult>, said = '') =>
  runCommands(
    { commands: ['npm ci'], timeoutSeconds: 5 },
    new AbortController().signal,
    async ({ onOutput }) => {
      if (said !== '') onOutput?.(Buffer.from(said));
      return { ...failed, ...result };
    },
  );

describe('the commands of a set-up', () => {
  it('run in order until one fails, within a common time limit', async () => {
    const asked: [string, boolean, boolean][] = [];
    const { signal } = new AbortController();
    const run = (commands: string[], timeoutSeconds: number) =>
      runCommands({ commands, timeoutSeconds }, signal, async (request) => {
        const { command, timeoutMs } = request;
        asked.push([command, request.signal === signal, timeoutMs > 4_000 && timeoutMs <= 5_000]);
        return { ...failed, exitCode: command === 'bad' ? 2 : 0 };
      });
    expect([
      await run(['one', 'two'], 5),
      await run(['one', 'bad', 'three'], 5),
      await run([], 5),
      asked,
    ]).toEqual([
      ...[null, '`bad` ended with 2', null],
      ['one', 'two', 'one', 'bad'].map((command) => [command, true, true]),
    ]);
  });

  it('get one millisecond if no time is left', async () => {
    const times: number[] = [];
    await runCommands(
      { commands: ['a'], timeoutSeconds: 0 },
      new AbortController().signal,
      async ({ timeoutMs }) => {
        times.push(timeoutMs);
        return failed;
      },
    );
    expect(times).toEqual([1]);
  });

  it('fail by time-out, exit code or signal, and the message has their output, if any', async () => {
    expect([
      await ended({ exitCode: 0 }, 'said'),
      await ended({ exitCode: 0, timedOut: true }),
      await ended({ timedOut: true }, ' waiting\n'),
      await ended({ exitCode: null, signal: 'SIGKILL' }, ' \n '),
      await ended({ exitCode: null }),
      await ended(
        { exitCode: 3 },
        'a\tb\u0007\u001b[1mc\u001b[0m\r\n\n\nnpm ERR! d\nxnpm error e\nnpm error',
      ),
    ]).toEqual([
      null,
      '`npm ci` was ended after the 5 seconds allowed',
      '`npm ci` was ended after the 5 seconds allowed: waiting',
      '`npm ci` ended with SIGKILL',
      '`npm ci` ended with a signal',
      '`npm ci` ended with 3: a b c d xnpm error e',
    ]);
  });

  it('are reported with up to 900 characters of output, or else with its beginning and end', async () => {
    const said = async (...chunks: string[]) =>
      (await problemOf(...chunks))?.slice('`npm ci` ended with 1: '.length);
    const text = (count: number) =>
      Array.from({ length: count }, (_, at) => String.fromCharCode(97 + (at % 26))).join('');
    const long = text(901);
    expect([
      await said(text(900)),
      await said(long),
      await said('cause', ' '.repeat(3_000), 'end'),
      await said('x'.repeat(599), 'yz', 'end'),
    ]).toEqual([
      ...[text(900), `${long.slice(0, 300)} … ${long.slice(-600)}`, 'cause … end'],
      `${'x'.repeat(599)}yzend`,
    ]);
  });
});
