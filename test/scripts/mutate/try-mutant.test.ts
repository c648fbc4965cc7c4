import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createTestRunner, type TestRunner } from '../../../scripts/mutate/test-runner.ts';
import { tryMutant } from '../../../scripts/mutate/try-mutant.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const file = 'src/contract/profile-names.ts';
const source = readFileSync(path.join(root, file), 'utf8');
const tests = ['test/contract/profile-names.test.ts'];
const whole = { file, kind: 'given', start: 0, end: source.length };

test('a fault in memory is noticed or survives, and the source stays unchanged', async () => {
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
      { kind: 'noticed', by: expect.stringMatching(/^test\/contract\/profile-names\.test\.ts: /) },
      { kind: 'survived' },
      { kind: 'noticed', by: expect.stringMatching(/^test\/contract\/profile-names\.test\.ts: /) },
    ]);
    expect(readFileSync(path.join(root, file), 'utf8')).toBe(source);
  } finally {
    await runner.close();
  }
}, 300_000);

test('failures of an earlier fault do not affect the next one', async () => {
  const runner = createTestRunner(200_000);
  const other = 'src/config/secret-values.ts';
  const code = readFileSync(path.join(root, other), 'utf8');
  const harmless = { ...whole, file: other, end: code.length, text: `${code}\n// No fault.` };
  const sound = new Set<string>();
  try {
    const broken = () =>
      tryMutant({ ...whole, text: 'throw new Error("a fault");' }, source, tests, runner, sound);
    const verdicts = [await broken(), await broken()];
    verdicts.push(await tryMutant(harmless, code, ['test/config/secret-values.test.ts'], runner, sound));
    expect(verdicts.map(({ kind }) => kind)).toEqual(['noticed', 'noticed', 'survived']);
  } finally {
    await runner.close();
  }
}, 300_000);

test('an endless loop is ended with its process', async () => {
  const runner = createTestRunner(3_000);
  const result = await runner.run({ file, code: 'for (;;);', tests });
  await runner.close();
  expect(result).toBe('timeout');
}, 300_000);

test('a machine that is also too slow without a fault is no endless loop', async () => {
  const attempt = (run: TestRunner['run']) =>
    tryMutant({ ...whole, text: '' }, source, tests, { run, close: async () => undefined }, new Set());
  expect(await attempt(async ({ code }) => (code === null ? { failed: null } : 'timeout'))).toEqual({
    kind: 'timeout',
  });
  await expect(attempt(async () => 'timeout')).rejects.toThrow(
    'Without a fault there is no end of: test/contract/profile-names.test.ts',
  );
});

test('a test that also fails without the fault does not count and must be fixed first', async () => {
  const broken: TestRunner = {
    run: async () => ({ failed: `${tests[0]}: is broken` }),
    close: async () => undefined,
  };
  await expect(tryMutant({ ...whole, text: '' }, source, tests, broken, new Set())).rejects.toThrow(
    'Fails without a fault, mend it first: test/contract/profile-names.test.ts: is broken',
  );
});

test('the nearest tests run first, and the others only if these notice nothing', async () => {
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
