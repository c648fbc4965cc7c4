import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, lastResults, textOf } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

test('a run and its child are summarised when they outgrow the configured window', async () => {
  const long = (word: string) => `${`${word} `.repeat(12)}\n`.repeat(300);
  const folder = await local.checkout({
    'a.txt': long('red'),
    'b.txt': long('blue'),
    'c.txt': long('green'),
  });
  const config = path.join(local.home, 'small.json');
  await writeFile(config, JSON.stringify({ context: { window: 14_000, keepRecent: 1_000 } }));
  const results: string[] = [];
  const reading = (task: string, more: (turn: number) => ReturnType<typeof call>[] = () => []) => {
    let turn = 0;
    local.learn(task, (_, request) => {
      const last = lastResults(request);
      if (last.includes('Write that note')) return { text: `${task}: the files hold colours.` };
      results.push(last);
      turn += 1;
      const file = ['a.txt', 'b.txt', 'c.txt'][turn - 1];
      if (file === undefined) return { text: `${task}: done.` };
      return { calls: [call('read', { path: file }), ...more(turn)] };
    });
  };
  reading('CHILD look', () => []);
  reading('read them all', (turn) =>
    turn === 1
      ? [call('use_tool', { name: 'get_context_remaining', args: {} })]
      : turn === 3
        ? [call('task', { goal: 'CHILD look', title: 'Look', profile: 'quick' })]
        : [],
  );
  const { code, stdout } = await local.anode(folder, [
    ...['run', '--config', config, '--prompt', 'read them all', '--output', 'stream-json'],
  ]);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const kept = 'read them all: the files hold colours.';
  expect({
    code,
    compactions: events.filter(({ type }) => type === 'compaction').map(({ note }) => note),
    child: events.find(({ type }) => type === 'child_run.result')?.summary,
    answer: events.at(-1)?.answer,
  }).toEqual({
    code: 0,
    compactions: [expect.stringMatching(/^\d older messages were summarised by the model\.$/)],
    child: 'CHILD look: done.',
    answer: 'read them all: done.',
  });
  expect(results.join('\n')).toMatch(
    /\d+ of 14000 tokens used .* Above 11900 tokens the turns before the newest 1000 tokens are summarised\.\nLeft of this run: 19 of 20 turns, \d+ of 1800 seconds\./,
  );
  const notes = ['read them all', 'CHILD look'].map(
    (task) => textOf(local.requestsFor(task).at(-1)?.messages[0]).split('<earlier_turns>')[1],
  );
  expect(notes).toEqual([expect.stringContaining(kept), expect.stringContaining('CHILD look: the files')]);
  for (const note of notes) expect(note).toContain('Files read:\n- a.txt');
});
