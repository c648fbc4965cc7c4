import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createTestRunner, type TestRunner } from '../../../scripts/mutate/test-runner.ts';
import { tryMutant } from '../../../scripts/mutate/try-mutant.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const file = 'src/contract/effort.ts';
const source = readFileSync(path.join(root, file), 'utf8');
const tests = ['test/contract/effort.test.ts'];
const whole = { file, kind: 'given', start: 0, end: source.length };

test('a fault in memory is noticed or survives, and the source stays as it is', async () => {
  const runner = createTestRunner(200_000);
  try {
    const verdicts = [];
    for (const text of [
      'throw new Error("a fault");',
      `${source}\n// No fault.`,
      source.replace('export const', 'const'),
    ])
      verdicts.push(await tryMutant({ ...whole, text }, source, tests, runner, new Set()));
    expect(verdicts).toEqual([
      { kind: 'noticed', by: expect.stringMatching(/^test\/contract\/effort\.test\.ts: /) },
      { kind: 'survived' },
      { kind: 'noticed', by: expect.stringMatching(/^test\/contract\/effort\.test\.ts: /) },
    ]);
    expect(readFileSync(path.join(root, file), 'utf8')).toBe(source);
  } finally {
    await runner.close();
  }
}, 300_000);

test('an endless loop is ended, and the process with it', async () => {
  const runner = createTestRunner(5_000);
  const verdict = await tryMutant({ ...whole, text: 'for (;;);' }, source, tests, runner, new Set());
  await runner.close();
  expect(verdict).toEqual({ kind: 'timeout' });
}, 300_000);

test('a test that fails without the fault is no witness: it has to be mended first', async () => {
  const broken: TestRunner = {
    run: async () => ({ failed: `${tests[0]}: is broken` }),
    close: async () => undefined,
  };
  await expect(tryMutant({ ...whole, text: '' }, source, tests, broken, new Set())).rejects.toThrow(
    'Fails without a fault, mend it first: test/contract/effort.test.ts: is broken',
  );
});

test('the nearest tests are run first, and the others only where these notice nothing', async () => {
  const all = ['1', '2', '3', '4', '5'];
  const ran: string[][] = [];
  const runner: TestRunner = {
    run: async ({ tests: some, code }) => {
      ran.push([...some]);
      return { failed: code !== null && some.includes('4') ? '4: is red' : null };
    },
    close: async () => undefined,
  };
  expect(await tryMutant({ ...whole, text: '' }, source, all, runner, new Set())).toEqual({
    kind: 'noticed',
    by: '4: is red',
  });
  expect([ran, await tryMutant({ ...whole, text: '' }, source, [], runner, new Set())]).toEqual([
    [['1', '2', '3'], ['4', '5'], ['4']],
    { kind: 'untested' },
  ]);
});
