import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { call } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

let temporary: string;
beforeEach(() => {
  temporary = mkdtempSync(path.join(os.tmpdir(), 'anode-empty-'));
});
afterEach(() => rmSync(temporary, { recursive: true }));

const left = () => readdirSync(temporary);
const anode = (folder: string, ...args: string[]) =>
  local.anode(folder, args, { environment: { TMPDIR: temporary } });
const records = (folder: string) =>
  readdirSync(path.join(folder, '.anode-harness')).filter((name) => name.startsWith('run_'));
const checkout = () => local.checkout({ 'a.txt': 'one\n', '.gitignore': '.anode-harness/\n' });

/** Changes a file by a command, whose earlier content only git has. */
const changing = (turn: number) =>
  turn === 1 ? { calls: [call('bash', { command: 'echo two > a.txt; seq 9999' })] } : { text: 'Done.' };

describe.skipIf(!available)('the temporary folder', () => {
  test('is empty after a run, which can be restored and replayed from its record', async () => {
    local.learn('TEMPORARY-RUN', changing);
    const folder = await checkout();
    const { code, stdout } = await anode(
      folder,
      ...['run', '--prompt', 'TEMPORARY-RUN', '--preset', 'unrestricted', '--output', 'json'],
    );
    const { run_id: run } = JSON.parse(stdout);
    expect([code, left(), records(folder)]).toEqual([0, [], [run]]);
    expect((await anode(folder, 'harness', 'verify', run)).code).toBe(0);
    const replayed = await anode(folder, 'harness', 'replay', run, '--execute-read-only');
    expect([replayed.code, left()]).toEqual([0, []]);
    expect([(await anode(folder, 'restore', run)).stdout, left()]).toEqual(['a.txt: written back\n', []]);
    expect(readFileSync(path.join(folder, 'a.txt'), 'utf8')).toBe('one\n');
  });

  test('is empty after a question and its answer', async () => {
    local.learn('TEMPORARY-ASK', (turn) =>
      turn === 1 ? { calls: [call('ask_user', { question: 'Which?' })] } : { text: 'Done.' },
    );
    const folder = await checkout();
    const asked = await anode(folder, 'run', '--prompt', 'TEMPORARY-ASK', '--output', 'json');
    const { run_id: run } = JSON.parse(asked.stdout);
    expect([asked.code, left()]).toEqual([4, []]);
    const answered = await anode(folder, 'resume', run, 'this', '--output', 'json');
    expect([answered.code, left(), records(folder)]).toEqual([
      0,
      [],
      [run, JSON.parse(answered.stdout).run_id].sort(),
    ]);
  });

  test('is empty after a review, an evaluation, and runs that cannot begin', async () => {
    local.learn('Review', () => ({ calls: [call('report_findings', { findings: [] })] }));
    local.learn('TEMPORARY-EVAL', () => ({ text: 'Nothing.' }));
    const folder = await checkout();
    writeFileSync(path.join(folder, 'a.txt'), 'two\n');
    await anode(folder, 'review', '--base', 'HEAD', '--checks-only');
    expect(left()).toEqual([]);
    await anode(folder, 'review', '--base', 'HEAD', '--max-turns', '2');
    expect(left()).toEqual([]);
    const tasks = await local.plainFolder({
      'a/task.yml': 'prompt: TEMPORARY-EVAL\ncheck: "false"\n',
      'a/repo/a': '',
    });
    expect([(await anode(tasks, 'eval', '.')).code, left()]).toEqual([1, []]);
    const lost = await anode(folder, 'run', '--prompt', 'x', '--profile', 'no-such');
    expect([lost.code, left()]).toEqual([2, []]);
    const keyless = await local.anode(folder, ['run', '--prompt', 'x'], {
      environment: { TMPDIR: temporary, ANTHROPIC_API_KEY: '' },
    });
    expect([keyless.code, left()]).toEqual([2, []]);
  });

  test('is empty after calls by hand, whose records are in the checkout', async () => {
    const folder = await checkout();
    const use = (name: string, input: object, ...more: string[]) =>
      anode(folder, 'tools', 'use', name, '--allow-non-read', '--json', JSON.stringify(input), ...more);
    const nothing = await use('read', { path: 'a.txt' });
    expect([nothing.code, left(), readdirSync(folder).includes('.anode-harness')]).toEqual([0, [], false]);
    const changed = await use('bash', { command: 'echo two > a.txt; seq 9999' }, '--output', 'json');
    const { content, spill } = JSON.parse(changed.stdout);
    const [run = ''] = records(folder);
    const place = path.join(folder, '.anode-harness', run);
    expect([left(), path.dirname(spill), content.includes(spill), existsSync(spill)]).toEqual([
      ...[[], path.join(place, 'spill'), true, true],
    ]);
    expect((await anode(folder, 'harness', 'verify', run)).code).toBe(0);
    expect((await anode(folder, 'restore', run)).stdout).toBe('a.txt: written back\n');
    const own = await use('workspace.write_file', { path: 'scratch/a.md', content: 'note' });
    const storage = path.join(folder, '.anode-harness', records(folder).find((one) => one !== run) ?? '');
    expect([own.stderr.includes(`${storage}/storage`), left()]).toEqual([true, []]);
    expect(readFileSync(path.join(storage, 'storage/scratch/a.md'), 'utf8')).toBe('note');
  });

  // A supervisor and a closed terminal signal the whole group, so a program may get the signal twice.
  for (const { signal, often } of [
    { signal: 'SIGINT', often: false },
    { signal: 'SIGTERM', often: true },
    { signal: 'SIGHUP', often: true },
  ] as const)
    test(`is empty after ${signal}${often ? ', also where it comes more than once' : ''}`, async () => {
      const name = `TEMPORARY-${signal}`;
      let begun = () => {};
      const waiting = new Promise<void>((resolve) => {
        begun = resolve;
      });
      local.learn(name, () => {
        begun();
        return { calls: [call('bash', { command: 'echo two > a.txt; read x < <(sleep 600)' })] };
      });
      const folder = await checkout();
      const started = local.start(
        folder,
        ['run', '--prompt', name, '--preset', 'unrestricted', '--output', 'json'],
        { environment: { TMPDIR: temporary } },
      );
      await waiting;
      started.child.kill(signal);
      const again = often ? setInterval(() => started.child.kill(signal), 5) : undefined;
      const { stdout } = await started.ended;
      clearInterval(again);
      expect([JSON.parse(stdout).conclusion, left(), records(folder)]).toEqual([
        'cancelled',
        [],
        [JSON.parse(stdout).run_id],
      ]);
    });
});

test('a killed run is named to whoever gives no run, and read where it lies', async () => {
  const folder = await checkout();
  const killed = path.join(temporary, `anode-runs-${process.getuid?.()}`, 'run_killed');
  mkdirSync(killed, { recursive: true });
  const line = (seq: number, entry: object) =>
    `${JSON.stringify({ v: 1, seq, at: '2026-01-02T03:04:05.000Z', prev: null, entry })}\n`;
  const start = line(1, { type: 'turn.started', turn: 1 });
  writeFileSync(path.join(killed, 'ledger.jsonl'), `${start}{"v":1,"se`);
  mkdirSync(path.join(folder, '.anode-harness/run_empty'), { recursive: true });
  const none = await anode(folder, 'harness', 'inspect');
  const verified = await anode(folder, 'harness', 'verify', 'run_killed');
  expect([none.stderr.split('\n')[0], verified]).toEqual([
    `anode harness: inspect takes one run. No run has left its record in ${folder}. Killed or still active: run_killed.`,
    {
      ...{ code: 0, stderr: '' },
      stdout:
        '1 entry, as they were written. The record has no end: the run was killed or is still active.\nThe last line was cut off by a crash.\n',
    },
  ]);
});

test('is empty after a call by hand that cannot begin', async () => {
  const folder = await checkout();
  const bare = { TMPDIR: temporary, PATH: path.dirname(process.execPath) };
  const args = ['tools', 'use', 'read', '--arg', 'path=a.txt', '--sandbox', 'required'];
  const { code } = await local.anode(folder, args, { environment: bare });
  expect([code === 0, left()]).toEqual([false, []]);
});

test('a run deletes records that are too old or too large, and follows no link', async () => {
  local.learn('TEMPORARY-PRUNE', () => ({ text: 'Done.' }));
  const folder = await checkout();
  const leave = (base: string, name: string, days: number, bytes = 1) => {
    const at = path.join(base, name);
    mkdirSync(at, { recursive: true });
    writeFileSync(path.join(at, 'ledger.jsonl'), 'x'.repeat(bytes));
    const then = new Date(Date.now() - days * 86_400_000);
    for (const one of [path.join(at, 'ledger.jsonl'), at]) utimesSync(one, then, then);
  };
  const harness = path.join(folder, '.anode-harness');
  leave(harness, 'run_old', 8);
  leave(harness, 'run_large', 3, 1_500_000);
  leave(harness, 'run_new', 2);
  leave(harness, 'notes', 90);
  leave(path.join(temporary, `anode-runs-${process.getuid?.()}`), 'run_killed', 8);
  writeFileSync(path.join(folder, 'c.json'), '{ "records": { "days": 7, "megabytes": 1 } }');
  const prune = (where: string) =>
    anode(
      where,
      'run',
      '--prompt',
      'TEMPORARY-PRUNE',
      '--config',
      path.join(folder, 'c.json'),
      '--output',
      'json',
    );
  const { code, stdout } = await prune(folder);
  expect([code, readdirSync(harness).sort(), left()]).toEqual([
    0,
    ['.gitignore', '.sizes.json', 'notes', 'run_new', JSON.parse(stdout).run_id].sort(),
    [],
  ]);
  const linked = await checkout();
  leave(path.join(temporary, 'theirs'), 'run_old', 90);
  symlinkSync(path.join(temporary, 'theirs'), path.join(linked, '.anode-harness'));
  expect((await prune(linked)).code).toBe(0);
  expect(existsSync(path.join(temporary, 'theirs/run_old'))).toBe(true);
});
