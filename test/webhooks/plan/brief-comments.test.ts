import { expect, test } from 'vitest';
import { briefComments } from '../../../src/webhooks/plan/brief-comments.ts';
import type { ThreadEntry } from '../../../src/webhooks/plan/thread-context.ts';

const at = '2026-01-02T03:00:00Z';
let minute = 0;
function entry(id: string, more: Partial<ThreadEntry> = {}): ThreadEntry & { readonly name: string } {
  minute += 1;
  const time = `2026-01-02T02:${String(minute).padStart(2, '0')}:00Z`;
  const body = `<!-- anode:report v1 -->\nThis is the body of ${id}.`;
  return {
    ...{
      name: id,
      kind: 'comment',
      id: minute,
      author: 'anode[bot]',
      body,
      created_at: time,
      updated_at: time,
    },
    ...{ location: null, ...more },
  };
}
const remark = { kind: 'review_comment', location: 'a.ts:1' } as const;
const entries = [
  entry('summary'),
  entry('finding', { ...remark, id: 70 }),
  entry('other finding', { ...remark, id: 80 }),
  entry('answer to it', { ...remark, root_id: 70 }),
  entry('words of ada', { author: 'ada', body: 'Long words of a person.' }),
  entry('words under our account', { body: 'Without a marker.' }),
  entry('report'),
];

function brief(request: Partial<Parameters<typeof briefComments>[1]>, of: readonly ThreadEntry[] = entries) {
  const whole = { kind: 'task', text: 'do it', location: null, comment: null, at, ...request } as const;
  const found = briefComments({ title: 'T', author: 'ada', body: '', entries: of }, whole, ['Anode[bot]']);
  return entries.filter((one) => found.has(one)).map(({ name }) => name);
}

const inConversation = { comment: { id: 1, kind: 'issue_comment' } } as const;
const location = { path: 'a.ts', line: 1, side: 'RIGHT', diff_hunk: '', root_id: 70 } as const;

test('our own comments are brief, unless the request follows, quotes or answers them', () => {
  expect({
    event: brief({}),
    follows: brief(inConversation),
    'follows a person': brief(inConversation, entries.slice(0, 6)),
    'follows without words': brief({ ...inConversation, kind: 'fix', text: ' ' }),
    quotes: brief({ text: '> This is the body of other\n> finding.\n\nfix that' }),
    'quotes a word': brief({ text: '> This is\n\nfix that' }),
    answers: brief({ location, comment: { id: 2, kind: 'review_comment' } }),
    fix: brief({ kind: 'fix' }),
    'fix of one': brief({ kind: 'fix', location }),
    review: brief({ kind: 'review' }),
  }).toEqual({
    event: ['summary', 'finding', 'other finding', 'answer to it', 'report'],
    follows: ['summary', 'finding', 'other finding', 'answer to it'],
    'follows a person': ['summary', 'finding', 'other finding', 'answer to it'],
    'follows without words': ['summary', 'report'],
    quotes: ['summary', 'finding', 'answer to it', 'report'],
    'quotes a word': ['summary', 'finding', 'other finding', 'answer to it', 'report'],
    answers: ['summary', 'finding', 'other finding', 'report'],
    fix: ['summary', 'report'],
    'fix of one': ['summary', 'finding', 'other finding', 'report'],
    review: ['summary', 'report'],
  });
});
