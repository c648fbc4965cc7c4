import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { processesWith, sleepers } from '../sandbox/runner-fixture.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

/** The changes in a run's ledger, with the tool that is told to have made them. */
function recordedChanges(folder: string): unknown[] {
  const records = path.join(folder, '.anode-harness');
  const run = readdirSync(records).find((name) => name.startsWith('run_')) ?? '';
  const lines = readFileSync(path.join(records, run, 'ledger.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  return lines
    .map((line) => JSON.parse(line).entry)
    .flatMap(({ type, change }) => (type === 'change' ? [[change.path, change.kind, change.tool]] : []));
}

test('late changes of a background program are recorded, and it ends with the run', async () => {
  const time = `${600 + Math.random()}${process.pid}`;
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const results: string[] = [];
  local.learn('keep it running', async (turn, request) => {
    results.push(lastResults(request));
    const background = `echo started; until [ -e go.txt ]; do sleep 0.05; done; echo late > late.txt; (setsid sleep ${time} &); exec sleep ${time}`;
    if (turn === 1) return { calls: [call('bash', { command: background, run_in_background: true })] };
    if (turn === 2) return { calls: [call('use_tool', { name: 'shell_session', args: { action: 'list' } })] };
    writeFileSync(path.join(folder, 'go.txt'), '');
    await vi.waitUntil(() => sleepers(time).length >= 2, { timeout: 120_000, interval: 20 });
    return { text: 'It runs.' };
  });
  const { code, stdout } = await local.anode(folder, [
    'run',
    '--prompt',
    'keep it running',
    '--output',
    'json',
  ]);
  const { conclusion, changes, refusals } = JSON.parse(stdout);
  const paths = changes.map((change: { path: string }) => change.path);
  expect({ code, conclusion, refusals, paths }).toEqual({
    code: 0,
    conclusion: 'success',
    refusals: [],
    paths: ['go.txt', 'late.txt'],
  });
  expect(results[1]).toMatch(/^started\n\[session_1 is running\]\n\[See its output with use_tool /);
  expect(results[2]).toMatch(/^session_1 is running, 0 bytes not read yet: echo started; /);
  expect(processesWith(time)).toEqual([]);
  expect(recordedChanges(folder)).toEqual([
    ['go.txt', 'add', 'shell_session'],
    ['late.txt', 'add', 'shell_session'],
  ]);
});

test('Ctrl-C ends remaining programs', async () => {
  const time = `${700 + Math.random()}${process.pid}`;
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const command = `(setsid sleep ${time} &); nohup sleep ${time} & touch up; sleep ${time}`;
  local.learn('never end', (turn) =>
    turn === 1
      ? { calls: [call('bash', { command, run_in_background: true })] }
      : {
          calls: [
            call('use_tool', {
              name: 'shell_session',
              args: { action: 'poll', session_id: 'session_1', yield_ms: 30_000 },
            }),
          ],
        },
  );
  const started = local.start(folder, ['run', '--prompt', 'never end']);
  await vi.waitUntil(() => existsSync(path.join(folder, 'up')) && sleepers(time).length >= 3, {
    timeout: 120_000,
    interval: 20,
  });
  started.child.kill('SIGINT');
  const { code } = await started.ended;
  expect([code, processesWith(time)]).toEqual([1, []]);
});

test('Ctrl-C ends a call by hand and its processes, with a message', async () => {
  const time = `${700 + Math.random()}${process.pid}`;
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const args = ['tools', 'use', 'bash', '--arg', `command=sleep ${time} & touch up; sleep ${time}`];
  const started = local.start(folder, [...args, '--allow-non-read']);
  await vi.waitUntil(() => existsSync(path.join(folder, 'up')) && sleepers(time).length >= 2, {
    timeout: 120_000,
    interval: 20,
  });
  started.child.kill('SIGINT');
  const { code, stderr } = await started.ended;
  expect({ code, said: stderr.split('\n')[0], left: processesWith(time) }).toEqual({
    code: 1,
    said: 'The call was cancelled; all that it had started is ended.',
    left: [],
  });
});
