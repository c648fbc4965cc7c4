import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';
import { ledgersOf, renderBrokenRun, withEarlierCost } from '../../../src/pipeline/finish/broken-run.ts';
import { sampleOutcome, samplePlan } from '../../reporting/samples.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'anode-broken-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const plan = samplePlan();
const usage = { input: 100, output: 10, cache_read: 0, cache_write: 0 };
const diff = (to: string, from: string) =>
  `diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
const change = (to: string, from: string): RunEntry => ({
  type: 'change',
  change: {
    ...{ path: 'a.txt', kind: 'modify', before: 'x', after: 'y', diff: diff(to, from), risk: 'low' },
    ...{ validation: 'unchecked', tool: 'edit_file', call_id: 'c1' },
  },
});
const begun: RunEntry[] = [
  {
    ...{ type: 'run.started', run_id: 'run_1', session_id: 's', parent_run_id: null, model: 'm' },
    ...{ profile: 'craft', preset: 'careful', sandbox: 'off', prompt: 'p', max_turns: null, base_sha: null },
  },
  { type: 'turn.started', turn: 1 },
  { type: 'usage', turn: 1, usage, cost_usd: 0.5 },
];

/** Writes the ledger of an attempt; the last line may be cut off, as by a crash. */
async function write(runs: string, attempt: string, entries: readonly RunEntry[], cut = '') {
  const file = path.join(folder, runs, attempt, 'run_1', 'ledger.jsonl');
  await mkdir(path.dirname(file), { recursive: true });
  const rows = entries.map((entry, index) =>
    JSON.stringify({ v: 1, seq: index + 1, at: `2026-01-02T03:04:0${index}.000Z`, entry }),
  );
  await writeFile(file, `${rows.join('\n')}\n${cut}`);
  return file;
}
const render = async (runs: string) =>
  renderBrokenRun(await ledgersOf(path.join(folder, runs), 'run_1'), plan, {
    message: 'The process ended.',
    runUrl: null,
  });

test('a killed run reports its changes as a patch, and its cost', async () => {
  await write('killed', 'attempt', [...begun, change('two', 'one'), change('three', 'two')], '{"v":1,"se');
  const report = await render('killed');
  expect(report?.split('\n')[0]).toMatch(/^\*\*Failed\.\*\* The process ended\./);
  expect([report?.includes(diff('two', 'one') + diff('three', 'two')), report?.includes('$0.50')]).toEqual([
    true,
    true,
  ]);
});

test('the last attempt is reported, with the cost of all attempts', async () => {
  await write('thrice', 'attempt', [...begun, change('old', 'one')]);
  await write('thrice', 'attempt-2', [...begun, change('new', 'one')]);
  await write('thrice', 'attempt-3', []);
  const report = await render('thrice');
  expect([report?.includes('+new'), report?.includes('+old'), report?.includes('$1.00')]).toEqual([
    true,
    false,
    true,
  ]);
});

test('an attempt without entries is not reported', async () => {
  await write('idle', 'attempt', []);
  expect([await render('idle'), await render('nowhere')]).toEqual([null, null]);
});

test('attempts are listed in order, without other folders', async () => {
  for (const name of ['attempt-10', 'attempt', 'attempt-2', 'attempted']) await write('order', name, []);
  const found = await ledgersOf(path.join(folder, 'order'), 'run_1');
  expect(found.map((file) => path.relative(path.join(folder, 'order'), file))).toEqual(
    ['attempt', 'attempt-2', 'attempt-10'].map((name) => `${name}/run_1/ledger.jsonl`),
  );
});

test('a later attempt adds the cost of earlier ones', async () => {
  const file = await write('earlier', 'attempt', begun);
  const outcome = sampleOutcome({ usage, cost_usd: 0.25, diagnostics: [] });
  const total = await withEarlierCost(outcome, [file, path.join(folder, 'missing')]);
  expect([total.usage.input, total.cost_usd, total.diagnostics]).toEqual([
    200,
    0.75,
    ['1 earlier attempt broke off after 1 turn. Tokens and cost here are of all attempts.'],
  ]);
  expect(await withEarlierCost(outcome, [])).toBe(outcome);
});
