import { afterEach, expect, test } from 'vitest';
import { type HarnessOptions, openTools, type ToolHarness } from './tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

async function open(options: HarnessOptions = {}): Promise<ToolHarness> {
  tools = await openTools({}, options);
  return tools;
}

test("todo_write replaces the list, accepts other agents' terms, and records it", async () => {
  const { call, entries, say } = await open();
  const todos = [
    { id: '2', content: 'Fix', status: 'in_progress', active_form: 'Fixing' },
    { id: '1', content: 'Test', status: 'completed' },
    { id: '3', content: 'Write', status: 'pending' },
    { id: '4', content: 'Ship', status: 'pending' },
  ];
  const content = '[~] 2: Fix\n[x] 1: Test\n[ ] 3: Write\n[ ] 4: Ship';
  const output = await call('todo_write', {
    todos: [
      { id: '2', content: 'Fix', status: 'active', activeForm: 'Fixing' },
      { content: 'Test', status: 'Done' },
      { id: '', content: 'Write' },
      { id: '2', content: 'Ship', status: 'todo' },
    ],
  });
  expect(output).toEqual({ content, data: { todos } });
  expect(entries).toEqual([{ type: 'todos', todos }]);
  expect(await say('todo_read', {})).toBe(content);
  await call('todo_write', { todos: [] });
  expect(await say('todo_read', {})).toBe('The task list is empty.');
});

test('todo_write treats null and a blank status as omitted', async () => {
  const { say } = await open();
  const nothing = { id: null, active_form: null, activeForm: null };
  expect(
    await say('todo_write', {
      todos: [
        { ...nothing, content: 'Fix', status: null },
        { ...nothing, content: 'Test', status: ' ' },
        { ...nothing, content: 'Ship', status: 'not started' },
      ],
    }),
  ).toBe('[ ] 1: Fix\n[ ] 2: Test\n[ ] 3: Ship');
});

test('todo_write names an unknown status', async () => {
  const { say } = await open();
  expect(await say('todo_write', { todos: [{ content: 'x', status: 'maybe' }] })).toMatch(
    /^invalid_input: Wrong arguments for todo_write: todos\.0\.status: .*pending/,
  );
});

test('ask_user passes on the whole question and returns the answer', async () => {
  const { call, asked } = await open({ answer: 'PostgreSQL' });
  const output = await call('ask_user', {
    question: 'Which driver?',
    reason: 'Both fit.',
    options: [{ id: 'pg', label: 'PostgreSQL', description: 'as in production' }, 'SQLite file'],
    topic: 'Data Base',
    questions: [{ question: 'And the name?' }],
  });
  expect(output).toEqual({ content: 'PostgreSQL', data: { answer: 'PostgreSQL' } });
  expect(asked).toEqual([
    {
      question: 'Which driver?',
      reason: 'Both fit.',
      options: [
        { id: 'pg', label: 'PostgreSQL', description: 'as in production' },
        { id: 'sqlite-file', label: 'SQLite file' },
      ],
      allow_freeform: false,
      required: false,
      topic: 'data-base',
      questions: [{ question: 'And the name?', options: [], allow_freeform: true, required: false }],
    },
  ]);
});

test("ask_user accepts a plain list of questions, also in other agents' format", async () => {
  const { call, asked, say } = await open();
  const options = [{ label: 'Yes' }, { label: 'Not now', description: 'later' }];
  await call('ask_user', {
    questions: [{ question: 'Drop it?', header: 'Data Base', multiSelect: true, options }, 'And the name?'],
  });
  expect(asked).toEqual([
    {
      question: 'Drop it?',
      options: [
        { id: 'yes', label: 'Yes' },
        { id: 'not-now', label: 'Not now', description: 'later' },
      ],
      allow_freeform: false,
      required: false,
      topic: 'data-base',
      multiple: true,
      questions: [{ question: 'And the name?', options: [], allow_freeform: true, required: false }],
    },
  ]);
  expect(await say('ask_user', { questions: [] })).toMatch(/^invalid_input: Wrong arguments.*question/);
});

test('confirm is ask_user with yes and no', async () => {
  const { call, asked } = await open();
  await call('confirm', { message: 'Delete it?' });
  expect(asked.map(({ question, options }) => ({ question, options }))).toEqual([
    {
      question: 'Delete it?',
      options: [
        { id: 'yes', label: 'Yes' },
        { id: 'no', label: 'No' },
      ],
    },
  ]);
});

test('handoff records its package', async () => {
  const { call, entries } = await open();
  const handoff = {
    target: 'next_thread' as const,
    summary: 'Half done',
    completed: ['a'],
    open_questions: [],
    recommended_next_steps: ['b'],
    artifacts: [],
    relevant_files: ['src/x.ts'],
    follow: false,
  };
  const { content, data } = await call('handoff', {
    target: 'next_thread',
    summary: 'Half done',
    completed: ['a'],
    recommended_next_steps: ['b'],
    relevant_files: ['src/x.ts'],
  });
  expect(entries).toEqual([{ type: 'handoff', handoff }]);
  expect({ content, data }).toEqual({
    content: 'Handoff recorded. It is in the report; a run on GitHub opens an issue when it ends.',
    data: { handoff },
  });
});

const finding = {
  path: 'src/a.ts',
  side: 'RIGHT' as const,
  line: 3,
  severity: 'high' as const,
  category: 'bug',
  title: 'Off by one',
  body: 'The last item is lost.',
};

test('report_findings records the findings of a review with normalised paths', async () => {
  const { call, entries, write } = await open();
  write('src/a.ts', 'one\ntwo\nthree');
  const { side: _, ...given } = { ...finding, path: './src/a.ts', line: '3' };
  expect(await call('report_findings', { findings: [given], summary: 'One bug.' })).toEqual({
    content: '1 finding recorded.',
    data: { findings: [finding], summary: 'One bug.' },
  });
  expect(entries).toEqual([{ type: 'findings', findings: [finding] }]);
});

test('report_findings replaces the earlier list, and an empty one withdraws it', async () => {
  const { say, entries, write } = await open();
  write('src/a.ts', 'one\ntwo\nthree\n');
  const second = { ...finding, line: 1 };
  const lists = [[finding, second], [second], [], []];
  const answers: string[] = [];
  for (const findings of lists) answers.push(await say('report_findings', { findings }));
  expect(answers).toEqual([
    '2 findings recorded.',
    '1 finding recorded; replaces the 2 reported before.',
    'Recorded: nothing found. The 1 reported before is withdrawn.',
    'Recorded: nothing found.',
  ]);
  expect(entries).toEqual(lists.map((findings) => ({ type: 'findings', findings })));
});

test("report_findings accepts other reviewers' field names", async () => {
  const { say, entries, write } = await open();
  write('src/a.ts', 'one\ntwo\nthree');
  const { path: file, body: description, ...rest } = finding;
  const given = { ...rest, file, description, severity: 'HIGH', side: 'right' };
  expect(await say('report_findings', { findings: [given] })).toBe('1 finding recorded.');
  expect(entries).toEqual([{ type: 'findings', findings: [finding] }]);
});

test('report_findings stores findings outside the diff under review, with a notice', async () => {
  const { say, context, write } = await open();
  write('src/a.ts', 'one\ntwo\nthree\nfour\nfive\nsix\n');
  write('src/b.ts', 'one\n');
  const reviewed =
    'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,3 @@\n one\n-old\n+two\n three\n';
  Object.assign(context.state, { reviewed });
  const places = [{ line: 3 }, { line: 2, side: 'LEFT' }, { line: 5 }, { line: 1, side: 'LEFT' }];
  const findings = [...places, { path: 'src/b.ts', line: 1 }].map((place) => ({ ...finding, ...place }));
  expect((await say('report_findings', { findings })).split('\n')).toEqual([
    '5 findings recorded. Not on a line of the diff, so posted at a line of it within ten, else only in the summary:',
    '- src/a.ts:5 "Off by one": the diff does not show line 5 of side RIGHT, but 1-3',
    '- src/a.ts:1 "Off by one": the diff does not show line 1 of side LEFT, but 2',
    '- src/b.ts:1 "Off by one": the change under review does not touch this file',
    'If another line was intended, report the whole list again.',
  ]);
});

test('report_findings accepts other severities, a fence around a suggestion, and b/ before a path', async () => {
  const { say, entries, context, write } = await open();
  write('src/a.ts', 'one\ntwo\nthree\n');
  const head = 'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n';
  Object.assign(context.state, { reviewed: `${head}@@ -1,3 +1,3 @@\n one\n-old\n+two\n three\n` });
  const given = { ...finding, path: 'b/src/a.ts', severity: 'Major', suggestion: '```ts\nthree();\n```\n' };
  expect(await say('report_findings', { findings: [given] })).toBe('1 finding recorded.');
  expect(entries).toEqual([{ type: 'findings', findings: [{ ...finding, suggestion: 'three();' }] }]);
});

test('report_findings names the suggestions it drops and the probable mistakes', async () => {
  const { say, entries, context, write } = await open();
  write('src/a.ts', 'one\n  two\n  three\nfour\nfive\nsix\nseven\neight\nnine\n');
  const head = 'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n';
  const hunks = '@@ -1,3 +1,3 @@\n one\n-old\n+  two\n   three\n@@ -8,2 +8,2 @@\n eight\n-old\n+nine\n';
  Object.assign(context.state, { reviewed: head + hunks });
  const same = { ...finding, title: 'Same', start_line: 2, line: 3, suggestion: '  two\n  three\n' };
  const left = { ...finding, title: 'Left', side: 'LEFT' as const, line: 2, suggestion: 'x' };
  const shifted = { ...finding, title: 'Shifted', start_line: 2, line: 3, suggestion: 'two();\n  three();' };
  const apart = { ...finding, title: 'Apart', start_line: 3, line: 9, suggestion: '  x' };
  const answer = await say('report_findings', { findings: [same, left, shifted, apart] });
  expect(answer.split('\n')).toEqual([
    '4 findings recorded.',
    'Of suggestions:',
    '- src/a.ts:3 "Same": its suggestion is left out: it is what these lines say already',
    '- src/a.ts:2 "Left": its suggestion is left out: a deleted line cannot be replaced',
    '- src/a.ts:3 "Shifted": its suggestion replaces whole lines: it is not indented, and they are by 2. If that is not intended, report the whole list again',
    '- src/a.ts:9 "Apart": its lines are not all in one part of the diff, so its suggestion can only be shown; take lines of one part',
  ]);
  const without = ({ suggestion: _, ...rest }: typeof left | typeof same) => rest;
  expect(entries).toEqual([{ type: 'findings', findings: [without(same), without(left), shifted, apart] }]);
});

test('report_findings names the nearest lines of a diff', async () => {
  const { say, context, write } = await open();
  write('src/a.ts', 'x\n'.repeat(60));
  const hunks = Array.from({ length: 15 }, (_, at) => `@@ -${at * 4 + 1},1 +${at * 4 + 1},1 @@\n-y\n+x\n`);
  const head = 'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n';
  Object.assign(context.state, { reviewed: head + hunks.join('') });
  expect(await say('report_findings', { findings: [{ ...finding, line: 47 }] })).toContain(
    'does not show line 47 of side RIGHT, but …, 21, 25, 29, 33, 37, 41, 45, 49, 53, 57',
  );
});

test('report_findings refuses missing locations, names each, and stores the others', async () => {
  const { say, entries, write } = await open();
  write('src/a.ts', 'one\ntwo\nthree\n');
  write('empty.ts', '');
  write('link.ts', { symlink: 'src/a.ts' });
  const deleted = { ...finding, path: 'src/old.ts', side: 'LEFT' as const, line: 90 };
  const link = { ...finding, path: 'link.ts', line: 1 };
  const answer = await say('report_findings', {
    findings: [
      { ...finding, line: 4 },
      deleted,
      { ...finding, path: 'src/b.ts' },
      { ...finding, path: 'empty.ts', line: 2 },
      { ...finding, path: '../x.ts' },
      { ...finding, path: 'src' },
      link,
      { ...finding, start_line: 3, line: 2 },
    ],
  });
  expect(answer.split('\n')).toEqual([
    'invalid_input: 6 of 8 findings refused:',
    '- src/a.ts:4 "Off by one": src/a.ts has the lines 1 to 3; for a deleted line give side LEFT and its old number.',
    '- src/b.ts:3 "Off by one": src/b.ts does not exist. Near it: src/a.ts. For a file that the change deletes, give side LEFT.',
    '- empty.ts:2 "Off by one": empty.ts has no lines; for a deleted line give side LEFT and its old number.',
    expect.stringMatching(/^- \.\.\/x\.ts:3 "Off by one": .*outside the workspace/),
    '- src:3 "Off by one": src is a directory, not a file.',
    '- src/a.ts:2 "Off by one": start_line 3 comes after line 2; give the first line and the last one.',
    'Report the whole list again, corrected. 2 findings recorded.',
  ]);
  expect(entries).toEqual([{ type: 'findings', findings: [deleted, link] }]);
  await say('report_findings', { findings: [{ ...finding, path: 'nowhere' }] });
  expect(entries).toHaveLength(1);
});
