import { expect, it, test } from 'vitest';
import type { Json } from '../../../src/contract/json.ts';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';
import { createStoryFold, formatInput, storyEvent } from '../../../src/reporting/html/fold-story.ts';
import { costText, formatCount, timeText } from '../../../src/reporting/html/page-context.ts';
import { clipText } from '../../../src/reporting/html/render-text.ts';
import type { StoryItem } from '../../../src/reporting/html/run-story.ts';
import { finding, handoff, started } from '../samples.ts';
import { call, linesOf, result, sampleEntries } from './sample-run.ts';

const fold = (entries: readonly RunEntry[]) => {
  const made = createStoryFold();
  for (const line of linesOf(entries)) made.add(line);
  return made.story();
};

/** Items by their names, those inside them in brackets. */
const outline = (items: readonly StoryItem[]): unknown[] =>
  items.map((item) => {
    if (item.kind === 'event') return item.text;
    const name = item.kind === 'call' ? `${item.tool} ${item.what}` : `child ${item.title}`;
    return item.items.length === 0 ? name : [name, ...outline(item.items)];
  });

it('assigns calls to their turns, and nested calls to their parents', () => {
  const story = fold(sampleEntries);
  expect(story.turns.map(({ number, items }) => [number, ...outline(items)])).toEqual([
    [1, 'grep days(', 'bash node --test', 'List: 1 of 3 steps done; now: Fixing the loop'],
    [2, ['batch 2 calls', 'edit_file src/range.js', 'edit_file test/range.test.js']],
    [
      3,
      'bash npm version patch && npm publish',
      ['code_review the changes so far', 'child Review the changes so far'],
      'Made room in the conversation: 48,211 → 31,007 tokens. Old results that words replaced: 3.',
    ],
    [4],
  ]);
  expect({
    before: outline(story.before),
    finished: story.finished,
    childTokens: story.turns[2]?.childTokens,
  }).toEqual({
    before: ['Set-up: npm ci took 4.1 s; node_modules is there for reading.'],
    finished: true,
    childTokens: 9_680,
  });
});

it('displays the note that replaces summarised turns', () => {
  const budget = { type: 'compaction', before_tokens: 170_100, after_tokens: 24_000 } as const;
  const { turns } = fold([
    { type: 'turn.started', turn: 1 },
    { ...budget, note: '80 older messages were summarised by the model.', kept: 'Files read:\n- a.ts' },
  ]);
  expect(turns[0]?.items).toEqual([
    {
      kind: 'event',
      tone: 'plain',
      text: 'Made room in the conversation: 170,100 → 24,000 tokens. 80 older messages were summarised by the model.',
      more: clipText('Files read:\n- a.ts'),
    },
  ]);
});

it('assigns changes and refusals to their call, and those of a child to the child', () => {
  const change = (path: string, call_id: string): RunEntry => ({
    type: 'change',
    change: {
      ...{ path, kind: 'modify', before: null, after: null, diff: '', risk: 'low', validation: 'unchecked' },
      ...{ tool: 'edit_file', call_id },
    },
  });
  const refusal = (call_id: string): RunEntry => ({
    type: 'refusal',
    refusal: { tool: 'bash', what: 'rm -r .', reason: 'No.', call_id },
  });
  const { turns } = fold([
    { type: 'turn.started', turn: 1 },
    call('a', 'bash', 'rm -r .', {}),
    refusal('a'),
    result('a', 'bash', 'Refused: No.', { ok: false, error_kind: 'refused' }),
    call('b', 'finder', 'where', {}),
    { type: 'child_run.started', child_run_id: 'k', title: 'Look', profile: 'finder' },
    change('made-by-child', 'of-the-child'),
    refusal('of-the-child'),
    {
      ...{ type: 'child_run.result', child_run_id: 'k', conclusion: 'success', summary: 'Here.', turns: 1 },
      usage: { input: 1, output: 2, cache_read: 3, cache_write: 4 },
    },
    change('made-by-b', 'b'),
    result('b', 'finder', 'Here.'),
  ]);
  const [first, second] = turns[0]?.items ?? [];
  const child = second?.kind === 'call' ? second.items[0] : undefined;
  expect({
    refused: first?.kind === 'call' && first.refused,
    ofCall: second?.kind === 'call' && second.changes.map(({ path }) => path),
    ofChild: child?.kind === 'child' && [child.changes.map(({ path }) => path), outline(child.items)],
  }).toEqual({
    refused: true,
    ofCall: ['made-by-b'],
    ofChild: [['made-by-child'], ['Refused: bash rm -r .: No.']],
  });
});

it('separates children that run at once, and adds up the cost of a resumed one', () => {
  const started = (id: string): RunEntry => ({
    type: 'child_run.started',
    child_run_id: id,
    title: id,
    profile: 'craft',
  });
  const ended = (id: string, cost_usd: number | null): RunEntry => ({
    ...{ type: 'child_run.result', child_run_id: id, conclusion: 'success', summary: 'Done.', turns: 2 },
    usage: { input: 10, output: 0, cache_read: 0, cache_write: 0 },
    cost_usd,
  });
  const { turns } = fold([
    { type: 'turn.started', turn: 1 },
    call('a', 'task_coordinator', 'both', {}),
    started('child_1'),
    started('child_2'),
    {
      type: 'refusal',
      refusal: { tool: 'bash', what: 'rm', reason: 'No.', call_id: 'child_1/call_1' },
    },
    ended('child_2', 0.25),
    ended('child_1', null),
    ended('child_2', 0.5),
  ]);
  const [starter] = turns[0]?.items ?? [];
  const children = starter?.kind === 'call' ? starter.items.filter((one) => one.kind === 'child') : [];
  expect(
    children.map(({ id, items, result }) => [id, outline(items), result?.tokens, result?.costUsd]),
  ).toEqual([
    ['child_1', ['Refused: bash rm: No.'], 10, null],
    ['child_2', [], 20, 0.75],
  ]);
});

it('omits the conversation of earlier runs, and accepts an incomplete ledger', () => {
  const story = fold([
    { type: 'message', message: { role: 'assistant', parts: [{ type: 'text', text: 'Said before.' }] } },
    { type: 'turn.started', turn: 8 },
    { type: 'message', message: { role: 'assistant', parts: [{ type: 'text', text: 'Said now.' }] } },
    call('a', 'bash', 'sleep 99', { command: 'sleep 99' }),
  ]);
  expect({
    texts: story.turns.map(({ text }) => text?.head),
    finished: story.finished,
    open: story.turns[0]?.items,
  }).toEqual({
    texts: ['Said now.'],
    finished: false,
    open: [expect.objectContaining({ kind: 'call', result: null })],
  });
});

it('displays an entry of an unknown kind', () => {
  const entry = { type: 'weather', sky: 'clear' } as unknown as RunEntry;
  expect(fold([entry]).before).toEqual([
    {
      kind: 'event',
      tone: 'plain',
      text: 'weather',
      more: { head: '{\n  "sky": "clear"\n}', tail: '', length: 20 },
    },
  ]);
});

it('stores only the start and the end of a very long output', () => {
  const { turns } = fold([
    { type: 'turn.started', turn: 1 },
    call('a', 'bash', 'yes', {}),
    result('a', 'bash', `first${'y'.repeat(5_000_000)}last`),
  ]);
  const item = turns[0]?.items[0];
  const content = item?.kind === 'call' ? item.result?.content : undefined;
  expect({
    head: content?.head.length,
    start: content?.head.slice(0, 6),
    end: content?.tail.slice(-5),
    length: content?.length,
  }).toEqual({
    ...{ head: 24_000, start: 'firsty', end: 'ylast', length: 5_000_009 },
  });
});

test.each<[input: Json, text: string]>([
  ['ls', 'ls'],
  [null, 'null'],
  [3, '3'],
  [['a', 1], '[\n  "a",\n  1\n]'],
  [{}, ''],
  [{ a: 'x', b: 2, c: null, d: [1], e: { f: 'g' } }, 'a: x\nb: 2\nc: null\nd: [1]\ne: {"f":"g"}'],
  [{ a: 'x\n\n  y\n' }, 'a: \n    x\n\n      y\n'],
  [{ a: ['x'.repeat(76)] }, `a: ["${'x'.repeat(76)}"]`],
  [{ a: ['x'.repeat(77)] }, `a: [\n  "${'x'.repeat(77)}"\n]`],
])('formats the arguments %j as %j', (input, text) => {
  expect(formatInput(input)).toBe(text);
});

/** The tone, the words and what is folded below. */
const told = (entry: object) => {
  const event = storyEvent(entry as RunEntry);
  return event === null ? null : [event.tone, event.text, event.more === null ? null : event.more.head];
};

const approval = { tool: 'bash', what: 'npm publish', hash: 'abcd', reason: 'It publishes.', call_id: 'c' };
const decided = { tool: 'bash', what: 'rm', hash: 'ef01', by: 'ada', head_sha: null, note: '' };

test('displays requests to people and their answers', () => {
  expect([
    told({ type: 'approval.required', approval: { ...approval, waits: true, diff: '+a' } }),
    told({ type: 'approval.required', approval: { ...approval, waits: false, reason: '' } }),
    told({ type: 'approval.decided', decided: { ...decided, verdict: 'approved' } }),
    told({ type: 'approval.decided', decided: { ...decided, verdict: 'denied', note: 'No.' } }),
    told({ type: 'approval.decided', decided: { ...decided, verdict: 'lapsed', note: ' ' } }),
    told({
      type: 'grant',
      grant: {
        ...{ hash: 'a', by: 'ada', reason: 'To build.', head_sha: null },
        permissions: ['bash', 'read'].map((tool) => ({ tool, action: 'allow' })),
      },
    }),
    told({
      type: 'question',
      question: {
        question: 'Which\ncolour?',
        options: [
          { id: 'b', label: 'Blue' },
          { id: 'r', label: 'Red' },
        ],
      },
    }),
  ]).toEqual([
    ['warning', 'Asked a person to approve: bash npm publish (abcd)', 'It publishes.\n\n+a'],
    ['warning', 'Proposed, not done: bash npm publish (abcd)', null],
    ['good', 'Approved by ada: bash rm (ef01)', null],
    ['warning', 'Denied by ada: bash rm (ef01)', 'No.'],
    ['warning', 'Approved, but lapsed by ada: bash rm (ef01)', null],
    ['good', 'ada granted every call of bash; every call of read', 'To build.'],
    ['warning', 'Asked: Which colour?', 'b: Blue\nr: Red'],
  ]);
});

test('displays statements and reports of the run', () => {
  const file = { type: 'answer.committed', path: 'out.md', text: 't' };
  const experiment = (pending: object | null, ...statuses: string[]) => ({
    type: 'experiment',
    experiment: { name: 'speed', pending },
    runs: statuses.map((status, index) => ({ number: index + 1, status })),
  });
  const todo = (status: string, active_form?: string) => ({ content: 'Fix it', status, active_form });
  expect([
    told({ type: 'handoff', handoff }),
    told({ type: 'handoff', handoff: { ...handoff, goal: 'All.' } }),
    told({ ...file, mode: 'append', reason: 'Late.' }),
    told({ ...file, mode: 'replace' }),
    told({ type: 'instructions', activated: { ref: 'AGENTS.md', applies: 'src', text: 'Do.' } }),
    told({ type: 'findings', findings: [finding] }),
    told({ type: 'findings', findings: [finding, finding] }),
    told(experiment(null)),
    told(experiment(null, 'baseline', 'keep')),
    told(experiment({ number: 3 }, 'baseline')),
    told({ type: 'todos', todos: [todo('completed'), todo('pending')] }),
    told({ type: 'todos', todos: [todo('in_progress')] }),
    told({ type: 'todos', todos: [todo('completed'), todo('in_progress', 'Fixing it')] }),
  ]).toEqual([
    ['plain', 'Handed over to user: Tokens are migrated.', null],
    ['plain', 'Handed over to user: Tokens are migrated.', 'All.'],
    ['plain', 'Added out.md to the message of the run', 'Late.'],
    ['plain', 'Made out.md into the message of the run', null],
    ['plain', 'Instructions hold for src: AGENTS.md', 'Do.'],
    ['plain', 'Reported 1 finding', null],
    ['plain', 'Reported 2 findings', null],
    ['plain', 'Experiment speed: begun', null],
    ['plain', 'Experiment speed: run 1 baseline, run 2 keep', null],
    ['plain', 'Experiment speed: run 3 measured', null],
    ['plain', 'List: 1 of 2 steps done', null],
    ['plain', 'List: 0 of 1 step done; now: Fix it', null],
    ['plain', 'List: 1 of 2 steps done; now: Fixing it', null],
  ]);
});

test('displays events around the run in their tone', () => {
  const diagnostic = (level: string) => ({ type: 'diagnostic', level, message: 'Odd.' });
  expect([
    told({
      type: 'compaction',
      before_tokens: 12_000,
      after_tokens: 900,
      note: 'words replaced results',
      kept: 'K',
    }),
    told({ type: 'compaction', before_tokens: 2, after_tokens: 1, note: 'Done.' }),
    told({
      type: 'model.waiting',
      reason: 'rate_limited',
      message: 'At 127.0.0.1.',
      attempt: 2,
      attempts: 8,
    }),
    told(diagnostic('info')),
    told(diagnostic('warning')),
    told(diagnostic('error')),
    told({ type: 'limit', stop: { kind: 'max_turns', message: '40 turns.' } }),
    told({ type: 'of.tomorrow', a: { b: 1 } }),
  ]).toEqual([
    ['plain', 'Made room in the conversation: 12,000 → 900 tokens. words replaced results.', 'K'],
    ['plain', 'Made room in the conversation: 2 → 1 tokens. Done.', null],
    ['plain', 'Waiting for the model: rate limited, try 2 of 8.', null],
    ['plain', 'Odd.', null],
    ['warning', 'Odd.', null],
    ['bad', 'Odd.', null],
    ['warning', 'Stopped at a limit: 40 turns.', null],
    ['plain', 'of.tomorrow', '{\n  "a": {\n    "b": 1\n  }\n}'],
  ]);
  const elsewhere =
    'run.finished message turn.started usage tool.call tool.result change refusal child_run.started child_run.result';
  expect([told(started), ...elsewhere.split(' ').map((type) => told({ type }))]).toEqual(
    ['run.started', ...elsewhere.split(' ')].map(() => null),
  );
});

test('formats costs, counts and times', () => {
  expect([null, 0, 0.1, 0.0999, 1.5, 0.00004].map(costText)).toEqual(
    'price not known|$0.00|$0.10|$0.0999|$1.50|$0.0000'.split('|'),
  );
  expect([999, 1000, 1_234_567].map(formatCount)).toEqual(['999', '1,000', '1,234,567']);
  expect(
    [0, 80.4, 999, 1000, 4_240, 9_949, 9_950, 59_499, 59_500, 125_000, 3_599_499, 3_599_500, 3_780_000].map(
      timeText,
    ),
  ).toEqual(
    '0 ms|80 ms|999 ms|1.0 s|4.2 s|9.9 s|10 s|59 s|1 min 0 s|2 min 5 s|59 min 59 s|1 h 0 min|1 h 3 min'.split(
      '|',
    ),
  );
});
