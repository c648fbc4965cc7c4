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

test('a local run becomes one page, in its record, in a given file, or on standard output', async () => {
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
  const refusal = async (output: string) => {
    const { code, stderr } = await local.anode(folder, ['report', id, '--output', output]);
    return [code, stderr];
  };
  const words = 'The report cannot be written:';
  expect([
    await refusal('no/such/run.html'),
    await refusal('/proc/nope/x'),
    await refusal('/dev/null'),
  ]).toEqual([
    [2, `${words} the folder above ${path.join(folder, 'no/such')} does not exist.\n`],
    [2, expect.stringContaining('/proc/nope')],
    [2, `${words} /dev/null is a folder or a device.\n`],
  ]);
});

test('the pages of a session link its runs, with request, question and answer', async () => {
  const folder = await local.checkout({ 'a.txt': 'a\n' });
  local.learn('pick a colour', (turn) =>
    turn === 1 ? { calls: [call('ask_user', { question: 'Red or blue?' })] } : { text: 'Blue it is.' },
  );
  const run = async (...args: string[]) =>
    JSON.parse((await local.anode(folder, [...args, '--output', 'json'])).stdout).run_id as string;
  const page = async (id: string) => {
    const { stdout } = await local.anode(folder, ['report', id, '--output', '-']);
    const head = /<header class="top">[\s\S]*?<\/header>/.exec(stdout)?.[0] ?? '';
    return head
      .replaceAll(/<[^>]*>/g, '\n')
      .split('\n')
      .map((line) => line.trim());
  };
  const first = await run('run', '--prompt', 'pick a colour');
  expect(await page(first)).toContain('Waiting for an answer');
  const second = await run('resume', first, 'blue, if you can');
  const [before, after] = [await page(first), await page(second)];
  expect(before).toEqual(expect.arrayContaining(['Answered', 'pick a colour', second]));
  expect(before).toContain('went on from this run, and was told: blue, if you can');
  expect(after).toEqual(
    expect.arrayContaining([
      ...['Done', 'pick a colour', 'Goes on from', first],
      ...[
        'Question: Red or blue?',
        'Answer: blue, if you can',
        expect.stringMatching(/^of \d+, 1 in earlier runs$/),
      ],
    ]),
  );
});

test('an unknown run is refused with the existing ones', async () => {
  const folder = await local.checkout({ 'a.txt': 'a\n' });
  const options = { environment: { TMPDIR: folder } };
  const answers = await Promise.all(
    [['report'], ['report', 'run_none'], ['report', '../x']].map(async (args) => {
      const { code, stderr } = await local.anode(folder, args, options);
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
