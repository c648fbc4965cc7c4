import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../uses/support/conversation.ts';
import { type Local, localKey, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

test('a local run becomes one page, beside its record, where it is asked for, or on standard output', async () => {
  const folder = await local.checkout({ 'colour.txt': 'red\n' });
  local.learn('paint it', (turn) =>
    turn === 1
      ? { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' })] }
      : { text: `It is **blue**, by ${localKey}.` },
  );
  const run = await local.anode(folder, ['run', '--prompt', 'paint it', '--output', 'json']);
  const { run_id: id } = JSON.parse(run.stdout) as { run_id: string };
  const made = await local.anode(folder, ['report', id]);
  const target = path.join(folder, '.anode-harness', id, 'report.html');
  expect({ code: made.code, stdout: made.stdout, stderr: made.stderr }).toEqual({
    code: 0,
    stdout: `${target}\n`,
    stderr: '',
  });
  const page = readFileSync(target, 'utf8');
  for (const words of [
    'On this machine, by the operator',
    'It is <strong>blue</strong>',
    '>-red<',
    '>+blue<',
    id,
  ])
    expect(page).toContain(words);
  expect(page).not.toContain(localKey);

  const elsewhere = path.join(folder, 'pages', 'run.html');
  expect((await local.anode(folder, ['report', id, '--output', elsewhere])).stdout).toBe(`${elsewhere}\n`);
  expect((await local.anode(folder, ['report', id, '--output', '-'])).stdout).toBe(page);
  expect(readFileSync(elsewhere, 'utf8')).toBe(page);
});

test('what is no run is refused, with the runs that there are', async () => {
  const folder = await local.checkout({ 'a.txt': 'a\n' });
  const answers = await Promise.all(
    [['report'], ['report', 'run_none'], ['report', '../x']].map(async (args) => {
      const { code, stderr } = await local.anode(folder, args);
      return [code, stderr.split('\n')[0]];
    }),
  );
  expect(answers).toEqual([
    [2, `anode report: it takes one run. No run has left its record in ${folder}.`],
    [
      2,
      `anode report: there is no record of run_none for ${folder}. No run has left its record in ${folder}.`,
    ],
    [2, 'anode report: "../x" is not the id of a run.'],
  ]);
});
