import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allTextOf, call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

test("a child works in its parent's checkout within its limits, and is in the report", async () => {
  local.learn('hand it over', (turn) => {
    if (turn === 1) {
      const bounds = { tools_allowed: ['read', 'Edit', 'task'], max_steps: 3, max_tool_calls: 2 };
      return {
        calls: [
          call('create_file', { path: 'made.txt', content: 'by the parent' }),
          call('task', { goal: 'CHILD paint', title: 'Paint', profile: 'fixer', ...bounds }),
          call('task', { goal: 'x', profile: 'hidden' }),
        ],
      };
    }
    return { text: 'Painted.' };
  });
  const told: unknown[] = [];
  local.learn('CHILD paint', (turn, request) => {
    told.push(request.tools.map(({ name }) => name));
    if (turn === 1) told.push(/^Git: .*\n.*made\.txt/m.exec(allTextOf(request))?.[0]);
    if (turn === 1)
      return {
        calls: [
          call('task', { goal: 'more' }),
          call('edit_file', { path: 'a.txt', old_str: 'red', new_str: 'blue' }),
        ],
      };
    return { text: 'It is blue; the frame is left.' };
  });
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const config = path.join(local.home, 'children.json');
  const fixer = { extends: 'quick', instructions: 'Mind the frame.' };
  await writeFile(config, JSON.stringify({ profiles: { fixer, hidden: { callable: false } } }));
  const { code, stdout } = await local.anode(folder, [
    ...['run', '--config', config, '--prompt', 'hand it over', '--output', 'stream-json'],
  ]);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const ofChild = { child_run_id: expect.any(String), title: 'Paint' };
  expect({
    code,
    told,
    events: events.filter(({ type }) => /^child_run|^change$/.test(type)),
  }).toEqual({
    code: 0,
    // What its parent has changed so far is no secret to it.
    told: [['read', 'edit_file'], 'Git: main, changed:\n?? made.txt', ['read', 'edit_file']],
    events: [
      { type: 'change', change: expect.objectContaining({ path: 'made.txt', tool: 'create_file' }) },
      { type: 'child_run.started', child_run_id: expect.any(String), title: 'Paint', profile: 'fixer' },
      { type: 'child_run.tool_call', ...ofChild, tool: 'task', what: 'more' },
      {
        ...{ type: 'child_run.tool_result', ...ofChild, tool: 'task', ok: false },
        content: 'This run has no task; go on without it.',
      },
      { type: 'child_run.tool_call', ...ofChild, tool: 'edit_file', what: 'a.txt' },
      { type: 'change', change: expect.objectContaining({ path: 'a.txt', tool: 'edit_file' }) },
      {
        ...{ type: 'child_run.tool_result', ...ofChild, tool: 'edit_file', ok: true },
        content: 'Edited a.txt, line 1:',
      },
      {
        type: 'child_run.result',
        child_run_id: expect.any(String),
        conclusion: 'limit',
        // Without calls it still says what it has.
        summary: 'It is blue; the frame is left.',
        turns: 2,
        usage: expect.anything(),
        cost_usd: expect.any(Number),
      },
    ],
  });
  const [answer] = local.requestsFor('hand it over').slice(1).map(lastResults);
  expect(answer).toContain('The child run used its 2 tool calls.');
  expect(answer).toContain('[files it changed: a.txt]');
  expect(answer).toContain('A run of craft may not start a child of hidden.');
  expect(JSON.stringify(local.requestsFor('CHILD paint')[0])).toMatch(
    /Another agent gave you this task.*Mind the frame\./,
  );
});

test("a review runs the repository's checks and those without a model", async () => {
  local.learn('check it all', (turn) => {
    if (turn === 1)
      return {
        calls: [
          call('create_file', { path: 'b.txt', content: '<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n' }),
        ],
      };
    if (turn === 2) {
      const wanted = { checks_only: true, check_filter: ['colours', 'conflicts'] };
      return { calls: [call('code_review', { diff_description: 'a new file', ...wanted })] };
    }
    return { text: 'Checked.' };
  });
  const finding = {
    path: 'b.txt',
    line: 1,
    severity: 'low',
    category: 'style',
    title: 'No colour',
    body: 'None.',
  };
  local.learn('# Check: colours', (turn) =>
    turn === 1 ? { calls: [call('report_findings', { findings: [finding] })] } : { text: 'One.' },
  );
  const folder = await local.checkout({
    'a.txt': 'red\n',
    '.agents/checks/colours.md': '---\ntools: [read]\n---\nEvery file names a colour.\n',
    '.agents/checks/empty.md': '',
  });
  const { stdout } = await local.anode(folder, ['run', '--prompt', 'check it all', '--output', 'json']);
  const [, answer] = local.requestsFor('check it all').slice(1).map(lastResults);
  expect(answer).toContain('Checks that ran: conflicts, colours.');
  expect(answer).toContain('.agents/checks/empty.md is left out');
  const titles = JSON.parse(stdout).findings.map(({ title, check }: Record<string, unknown>) => [
    title,
    check,
  ]);
  expect(titles).toEqual([
    [expect.stringMatching(/conflict/i), 'conflicts'],
    ['No colour', 'colours'],
  ]);
});
