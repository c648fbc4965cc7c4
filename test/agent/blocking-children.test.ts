import { afterEach, expect, test } from 'vitest';
import { type Family, lastResults, runFamily, textOf } from './family-fixture.ts';

let family: Family | undefined;
afterEach(() => family?.tools.close());

test('tasks of a coordinator are given what came of those before, and one that fails takes its followers with it', async () => {
  family = await runFamily({
    main: [
      {
        calls: [
          [
            'task_coordinator',
            {
              tasks: [
                { id: 'find', task: 'I am find.' },
                { id: 'fix', task: 'I am fix.', depends_on: ['find'] },
                { id: 'lost', task: 'I am lost.', agent_type: 'nobody' },
                { id: 'after', task: 'I am after.', depends_on: 'lost' },
              ],
            },
          ],
        ],
      },
      (request) => ({ text: lastResults(request) }),
    ],
    find: [{ text: 'It is in a.ts.' }],
    fix: [{ calls: [['create_file', { path: 'a.ts', content: 'x' }]] }, { text: 'Fixed.' }],
  });
  const { result, seen } = family;
  expect(result.answer.split('\n\n== ')).toEqual([
    '== find: completed ==\nIt is in a.ts.',
    'fix: completed ==\nFixed.\n\n[files it changed: a.ts]',
    expect.stringMatching(/^lost: failed ==\nThere is no profile "nobody"\./),
    'after: skipped ==\nWhat it depends on did not end well.',
  ]);
  expect(textOf(seen.get('fix')?.[0]?.messages[0])).toContain(
    'I am fix.\n\nWhat came of the tasks before:\n\n== find ==\nIt is in a.ts.',
  );
});

test('a sub-agent does one task apart from its parent, which gets what it said last', async () => {
  family = await runFamily({
    main: [
      { calls: [['sub_agent', { prompt: 'I am one.', read_only: true }]] },
      (request) => ({ text: lastResults(request) }),
    ],
    one: [
      { calls: [['create_file', { path: 'a.ts', content: 'x' }]] },
      (request) => ({ text: lastResults(request) }),
    ],
  });
  expect(family.result.answer).toContain('This run only reads, so it has no create_file.');
  expect(family.tools.tree()).toEqual({});
});

test('a result without its artifacts is refused, and nobody returns what nobody delegated', async () => {
  family = await runFamily({
    main: [
      {
        calls: [
          ['agent_delegate', { agentId: 'craft', task: { objective: 'I am one.' } }],
          ['task_return', { summary: 'x' }],
        ],
      },
      { calls: [['agent_await', {}]] },
      (request) => ({ text: lastResults(request) }),
    ],
    one: [
      {
        calls: [
          [
            'task_return',
            { summary: 'x', artifacts: [{ path: 'output/no.md', kind: 'markdown', role: 'draft' }] },
          ],
        ],
      },
      (request) => ({
        calls: [
          [
            'task_return',
            { summary: lastResults(request), status: 'failed', questionsForCaller: ['Which?'] },
          ],
        ],
      }),
    ],
  });
  expect(family.result.answer).toBe(
    "== child_1 (craft): I am one. — failed ==\noutput/no.md is no file of this run's own. Write it with workspace_write_file, or leave it out; name files of the repository in the summary.\nquestions for you:\n- Which?",
  );
  expect(lastResults(family.seen.get('main')?.[1] ?? { messages: [] })).toContain(
    'This run has no task.return',
  );
});
