import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

test('a run stopped by a limit names the resume command, which works once without a message', async () => {
  local.learn('paint on', (turn) => {
    if (turn === 1) return { calls: [call('edit_file', { path: 'a.txt', old_str: 'red', new_str: 'blue' })] };
    return turn === 2 ? { text: 'Half.', calls: [call('read', { path: 'a.txt' })] } : { text: 'Painted.' };
  });
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const first = await local.anode(folder, ['run', '--prompt', 'paint on', '--max-turns', '2']);
  const run = /anode resume (run_\w+)/.exec(first.stdout)?.[1] ?? '';
  expect([first.code, first.stdout.split('\n').slice(0, 8)]).toEqual([
    3,
    [
      '',
      'Half.',
      '',
      'Stopped: The run used its 2 turns before it was done.',
      'What it changed so far is in the checkout.',
      `Go on from here, with limits of its own: anode resume ${run} --cwd ${folder}`,
      'For more in one run: raise --max-turns, or limits.maxTurns in the configuration (--config, or your own).',
      'modify a.txt',
    ],
  ]);
  const session = path.join(folder, '.anode-harness', run, 'session.json');
  const own = readFileSync(session, 'utf8');
  for (const change of [{ grants: [] }, { preset: 'unrestricted' }]) {
    writeFileSync(session, JSON.stringify({ ...JSON.parse(own), ...change }));
    const forged = await local.anode(folder, ['resume', run]);
    expect([forged.code, forged.stderr]).toEqual([
      2,
      expect.stringContaining(`${session} is not as a run of yours wrote it`),
    ]);
  }
  writeFileSync(session, own);
  // One that may not begin takes nothing away.
  const bare = { environment: { PATH: '/nowhere' } };
  const refused = await local.anode(folder, ['resume', run, '--sandbox', 'required'], bare);
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('requires a sandbox')]);
  const second = await local.anode(folder, ['resume', run, '--output', 'json']);
  const { conclusion, answer, run_id, changes } = JSON.parse(second.stdout);
  expect([second.code, conclusion, answer, changes.map((one: { path: string }) => one.path)]).toEqual([
    0,
    'success',
    'Painted.',
    ['a.txt'],
  ]);
  const { messages = [] } = local.requestsFor('paint on').at(-1) ?? {};
  expect([messages.length, JSON.stringify(messages.at(-1))]).toEqual([
    5,
    expect.stringContaining(
      'The run was stopped: The run used its 2 turns before it was done. It goes on now, with limits of its own.',
    ),
  ]);
  expect(readFileSync(path.join(folder, 'a.txt'), 'utf8')).toBe('blue\n');
  const again = await local.anode(folder, ['resume', run]);
  const over = await local.anode(folder, ['resume', run_id]);
  expect([again.code, over.code]).toEqual([2, 2]);
  expect(again.stderr).toContain(`${run} was answered already, or taken up; a newer run went on from it.`);
  expect(over.stderr).toContain(
    `${run_id} came to its end: it waits for nothing, and left nothing to go on from.`,
  );
});

test('a foreign session resumes under the rules of the new call', async () => {
  local.learn('lift up', (turn) =>
    turn < 3 ? { calls: [call('read', { path: 'a.txt' })] } : { text: 'Up.' },
  );
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const first = await local.anode(folder, ['run', '--prompt', 'lift up', '--max-turns', '2']);
  const run = /anode resume (run_\w+)/.exec(first.stdout)?.[1] ?? '';
  const harness = path.join(folder, '.anode-harness');
  const own = JSON.parse(readFileSync(path.join(harness, run, 'session.json'), 'utf8'));
  const foreign = { ...own, run_id: 'run_foreign', preset: 'unrestricted', profile: 'quick' };
  mkdirSync(path.join(harness, 'run_foreign'));
  writeFileSync(path.join(harness, 'run_foreign', 'session.json'), JSON.stringify(foreign));
  const resumed = await local.anode(folder, ['resume', 'run_foreign', '--output', 'json']);
  const { run_id, answer } = JSON.parse(resumed.stdout);
  const { preset, profile } = JSON.parse(readFileSync(path.join(harness, run_id, 'outcome.json'), 'utf8'));
  expect({ code: resumed.code, answer, preset, profile }).toEqual({
    ...{ code: 0, answer: 'Up.' },
    ...{ preset: own.preset, profile: 'craft' },
  });
});

test('a stopped run whose session cannot be stored is reported without a resume command', async () => {
  local.learn('keep not', () => ({ text: 'Half.', calls: [call('read', { path: 'a.txt' })] }));
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  writeFileSync(path.join(folder, 'state'), '');
  const args = ['run', '--prompt', 'keep not', '--max-turns', '1'];
  const { code, stdout, stderr } = await local.anode(folder, args, {
    environment: { XDG_STATE_HOME: path.join(folder, 'state') },
  });
  expect([code, stdout.includes('Half.'), stdout.includes('anode resume')]).toEqual([3, true, false]);
  expect(stderr).toContain('! What this run was started with could not be kept for anode resume:');
});
