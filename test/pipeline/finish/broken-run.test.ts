import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';
import { ledgersOf, renderBrokenRun, withEarlierCost } from '../../../src/pipeline/finish/broken-run.ts';
import { openWorkspace } from '../../../src/workspace/open-workspace.ts';
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
    checkoutsFolder: path.join(folder, `${runs}-checkouts`),
    secrets: ['hunter2-hunter2-hunter2'],
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

/** A checkout at its commit, in which a run of this process takes the baseline and then dies. */
async function beginInCheckout(runs: string) {
  const checkout = path.join(folder, `${runs}-checkouts`, 'attempt', 'run_1', 'tree');
  const git = (...args: string[]) => execFileSync('git', ['-C', checkout, ...args], { encoding: 'utf8' });
  await mkdir(checkout, { recursive: true });
  git('init', '-q');
  await writeFile(path.join(checkout, 'a.txt'), 'one\n');
  git('add', '.');
  git('-c', 'user.name=ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'One');
  const runFolder = path.join(folder, runs, 'attempt', 'run_1');
  const workspace = await openWorkspace({ root: checkout, runFolder, spillFolder: runFolder });
  await workspace.baseline();
  return { checkout, runFolder };
}

test('a killed run publishes what its commands left in the checkout, without a secret', async () => {
  await write('commands', 'attempt', [...begun, change('two', 'one')]);
  const { checkout, runFolder } = await beginInCheckout('commands');
  await writeFile(path.join(checkout, 'a.txt'), 'by a command\n');
  await writeFile(path.join(checkout, 'new.txt'), 'made by a command\n');
  await writeFile(path.join(checkout, 'leak.txt'), 'hunter2-hunter2-hunter2\n');
  // A hostile command may leave a rule file at which git would wait, and git may have died too.
  execFileSync('mkfifo', [path.join(checkout, '.gitignore')]);
  await writeFile(path.join(runFolder, 'trees.git', 'index.lock'), '');
  const report = (await render('commands')) ?? '';
  expect({
    edit: report.includes('+two'),
    changed: report.includes('+by a command'),
    added: report.includes('+made by a command'),
    secret: report.includes('hunter2'),
    excluded: report.includes('leak.txt` was left out') || report.includes('leak.txt was left out'),
    warned: report.includes('perhaps in the middle of a command'),
  }).toEqual({ edit: false, changed: true, added: true, secret: false, excluded: true, warned: true });
});

test('a killed run whose checkout cannot be read publishes what its edits recorded', async () => {
  await write('unreadable', 'attempt', [...begun, change('two', 'one')]);
  const { runFolder } = await beginInCheckout('unreadable');
  await rm(path.join(runFolder, 'trees.git', 'HEAD'));
  const report = (await render('unreadable')) ?? '';
  expect([report.includes('+two'), report.includes('could not be read')]).toEqual([true, true]);
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
