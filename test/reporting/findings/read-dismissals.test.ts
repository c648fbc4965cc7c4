import { expect, test } from 'vitest';
import { dismissalIn } from '../../../src/contract/dismissal.ts';
import type { OwnReviewComment } from '../../../src/reporting/findings/own-posts.ts';
import { isReopened } from '../../../src/reporting/findings/read-dismissals.ts';

test.each([
  ["won't fix", true],
  ['Won’t fix, this is the demo.', true],
  ['wontfix', true],
  ['This is a false positive: the list is never empty.', true],
  ['False positive.', true],
  ['Not a bug', true],
  ['This is by design.', true],
  ['Works as intended', true],
  ['> won’t fix\n\nI will.', false],
  ["I don't think that we won't fix this", false],
  ...[
    'Wont fix',
    'won’t fix',
    'will not fix',
    'not a bug',
    'Not an issue',
    'not a problem',
    'not a defect',
  ].map((words) => [words, true] as const),
  ...['intended', 'intentional', 'by design', 'dismiss', 'dismissed'].map((words) => [words, true] as const),
  ...['This is ', 'that is ', 'it is ', 'it’s ', "that's ", 'that’s ', "It's "].map(
    (start) => [`${start}intended`, true] as const,
  ),
  ...['a ', 'an ', 'as ', 'works as ', 'working as ', 'it is working as '].map(
    (start) => [`${start}intended!`, true] as const,
  ),
  ['**Dismiss**', true],
  ['  > why?\n\n*wontfix*', true],
  ['so it is intended', false],
  ['this was intended', false],
  ['will fix', false],
  ['not bug', false],
  ['dismissive', false],
  [`wontfix ${'x'.repeat(1_992)}`, true],
  [`wontfix ${'x'.repeat(1_993)}`, false],
  ['Fixed, thanks', false],
  ['Not a bugfix yet', false],
  ['', false],
] as const)('Decides whether %j dismisses a finding: %s', (words, lets) => {
  expect(dismissalIn(words) !== null).toBe(lets);
});

const remark: OwnReviewComment = {
  ...{
    fp: 'f',
    fields: {},
    id: 1,
    nodeId: 'n',
    reviewId: null,
    path: 'a',
    side: 'RIGHT',
    line: 1,
    diffHunk: '',
  },
  ...{ body: '', createdAt: '2026-01-02T03:04:05Z', thumbsDown: 0, replies: [] },
};
const said = (body: string, bot = false): Partial<OwnReviewComment> => ({
  replies: [{ login: 'ada', body, bot }],
});

test.each([
  [{}, false, true],
  [{}, undefined, false],
  [{}, true, false],
  [{ createdAt: '2026-01-02T03:04:05Z', thumbsDown: 1 }, false, false],
  [said('wontfix'), false, false],
  [said('wontfix', true), false, true],
  [said('Thanks'), false, true],
] as const)('With %j in a thread whose resolution is %s, decides whether the finding reopens: %s', (more, resolved, again) => {
  const thread = resolved === undefined ? undefined : { id: 't', resolved, resolvedBy: null };
  expect(isReopened({ ...remark, ...more }, thread)).toBe(again);
});
