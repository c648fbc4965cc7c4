import { expect, test } from 'vitest';
import { tryCommand } from '../../../src/checks/proof/try-command.ts';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';

async function tried(end: { exitCode: number | null; timedOut?: boolean }, output: string) {
  const recorded: RunEntry[] = [];
  const trial = await tryCommand({
    ...{ command: 'npm test', timeoutMs: 2_000, root: '/nowhere', signal: new AbortController().signal },
    commands: {
      run: async ({ onOutput }) => {
        onOutput?.(Buffer.from(output));
        return { ...{ timedOut: false }, ...end } as never;
      },
    },
    record: (entry) => recorded.push(entry),
  });
  const [entry] = recorded;
  const { duration_ms: _, ...rest } = entry?.type === 'validation' ? entry : { duration_ms: 0 };
  return [trial, rest];
}

test('records what a command printed, in whatever way it ended', async () => {
  const entry = { type: 'validation', check: 'command', command: 'npm test', files: [] };
  const trial = { command: 'npm test', said: 'fails with it.', quote: 'Error: no' };
  expect([
    await tried({ exitCode: 1 }, '\u001b[31mError: no\u001b[0m\n'),
    await tried({ exitCode: 0 }, `${'x'.repeat(5_000)}end`),
    await tried({ exitCode: null, timedOut: true }, 'half'),
  ]).toEqual([
    [
      { ...trial, result: 'failed' },
      { ...entry, result: 'failed', exit_code: 1, output: 'Error: no\n' },
    ],
    [
      { command: 'npm test', result: 'passed', said: 'passes with it.' },
      { ...entry, result: 'passed', exit_code: 0, output: `${'x'.repeat(3_997)}end` },
    ],
    [
      { command: 'npm test', result: 'not_run', said: 'did not end within 2 seconds.' },
      { ...entry, result: 'not_run', exit_code: null, output: 'half' },
    ],
  ]);
});
