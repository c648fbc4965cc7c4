import { expect, test } from 'vitest';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';
import { costWords, countWords, timeWords } from '../../../src/reporting/html/page-context.ts';
import { storyEvent } from '../../../src/reporting/html/story-event.ts';
import { finding, handoff, started } from '../samples.ts';

/** The tone, the words and what is folded below. */
const told = (entry: object) => {
  const event = storyEvent(entry as RunEntry);
  return event === null ? null : [event.tone, event.words, event.more === null ? null : event.more.head];
};

const approval = { tool: 'bash', what: 'npm publish', hash: 'abcd', reason: 'It publishes.', call_id: 'c' };
const decided = { tool: 'bash', what: 'rm', hash: 'ef01', by: 'ada', head_sha: null, note: '' };

test('what asks a person, and what they say, is told', () => {
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

test('what the run states and reports is told', () => {
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

test('what happened around the run is told in its tone', () => {
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
    told({ type: 'model.waiting', message: 'Asked again in 2 s.' }),
    told(diagnostic('info')),
    told(diagnostic('warning')),
    told(diagnostic('error')),
    told({ type: 'limit', stop: { kind: 'max_turns', message: '40 turns.' } }),
    told({ type: 'of.tomorrow', a: { b: 1 } }),
  ]).toEqual([
    ['plain', 'Made room in the conversation: 12,000 → 900 tokens. words replaced results.', 'K'],
    ['plain', 'Made room in the conversation: 2 → 1 tokens. Done.', null],
    ['plain', 'Asked again in 2 s.', null],
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

test('costs, counts and times are said as people say them', () => {
  expect([null, 0, 0.1, 0.0999, 1.5, 0.00004].map(costWords)).toEqual(
    'price not known|$0.00|$0.10|$0.0999|$1.50|$0.0000'.split('|'),
  );
  expect([999, 1000, 1_234_567].map(countWords)).toEqual(['999', '1,000', '1,234,567']);
  expect(
    [0, 80.4, 999, 1000, 4_240, 9_949, 9_950, 59_499, 59_500, 125_000, 3_599_499, 3_599_500, 3_780_000].map(
      timeWords,
    ),
  ).toEqual(
    '0 ms|80 ms|999 ms|1.0 s|4.2 s|9.9 s|10 s|59 s|1 min 0 s|2 min 5 s|59 min 59 s|1 h 0 min|1 h 3 min'.split(
      '|',
    ),
  );
});
