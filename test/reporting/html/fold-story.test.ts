import { expect, it } from 'vitest';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';
import { clipText } from '../../../src/reporting/html/clip.ts';
import { createStoryFold } from '../../../src/reporting/html/fold-story.ts';
import type { StoryItem } from '../../../src/reporting/html/run-story.ts';
import { call, linesOf, result, sampleEntries } from './sample-run.ts';

const fold = (entries: readonly RunEntry[]) => {
  const made = createStoryFold();
  for (const line of linesOf(entries)) made.add(line);
  return made.story();
};

/** Items by their names, those inside them in brackets. */
const outline = (items: readonly StoryItem[]): unknown[] =>
  items.map((item) => {
    if (item.kind === 'event') return item.words;
    const name = item.kind === 'call' ? `${item.tool} ${item.what}` : `child ${item.title}`;
    return item.items.length === 0 ? name : [name, ...outline(item.items)];
  });

it('puts calls in their turns, and inside each other what was made inside each other', () => {
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

it('shows the note that stands for summarised turns', () => {
  const room = { type: 'compaction', before_tokens: 170_100, after_tokens: 24_000 } as const;
  const { turns } = fold([
    { type: 'turn.started', turn: 1 },
    { ...room, note: '80 older messages were summarised by the model.', kept: 'Files read:\n- a.ts' },
  ]);
  expect(turns[0]?.items).toEqual([
    {
      kind: 'event',
      tone: 'plain',
      words:
        'Made room in the conversation: 170,100 → 24,000 tokens. 80 older messages were summarised by the model.',
      more: clipText('Files read:\n- a.ts'),
    },
  ]);
});

it('gives changes and refusals to the call they came from, and those of a child to the child', () => {
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

it('tells children that go on at once apart, and adds up what one took that went on', () => {
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

it('leaves out the conversation of the runs before, and takes a record that breaks off', () => {
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

it('shows an entry of a kind it does not know', () => {
  const entry = { type: 'weather', sky: 'clear' } as unknown as RunEntry;
  expect(fold([entry]).before).toEqual([
    {
      kind: 'event',
      tone: 'plain',
      words: 'weather',
      more: { head: '{\n  "sky": "clear"\n}', tail: '', length: 20 },
    },
  ]);
});

it('keeps of an endless output its start and its end', () => {
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
