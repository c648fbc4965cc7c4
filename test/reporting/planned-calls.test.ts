import { expect, test } from 'vitest';
import type { RunPlan } from '../../src/contract/plan.ts';
import { plannedCalls } from '../../src/reporting/planned-calls.ts';
import { headSha, samplePlan } from './samples.ts';

const lines = (changes: Parameters<typeof samplePlan>[0]) =>
  plannedCalls(samplePlan(changes)).map(({ method, path, purpose }) => `${method} ${path}: ${purpose}`);

test('lists a commit to the branch for a task on a pull request', () => {
  expect(lines({})).toEqual([
    'POST /repos/acme/shop/issues/comments/99/reactions: 👀 on the comment',
    'POST /repos/acme/shop/issues/7/comments: the progress comment',
    'POST /graphql: a commit on dates, if anything changed',
    'POST /repos/acme/shop/pulls/7/reviews: a review, if there are findings or suggestions',
    'POST /repos/acme/shop/issues: an issue for each handoff',
    'PATCH /repos/acme/shop/issues/comments/{id}: progress, then the report',
    'DELETE /repos/acme/shop/issues/comments/99/reactions/{id}: 👀 away at the end',
  ]);
});

test('lists no commit and no issue for a review on a line', () => {
  expect(
    lines({
      profile: 'review',
      trigger_comment: { id: 98, kind: 'review_comment' },
      push: { kind: 'none', reason: 'A review only reads.' },
    }),
  ).toEqual([
    'POST /repos/acme/shop/pulls/comments/98/reactions: 👀 on the comment',
    'POST /repos/acme/shop/issues/7/comments: the progress comment',
    'POST /repos/acme/shop/pulls/7/reviews: a review, if there are findings or suggestions',
    'PATCH /repos/acme/shop/issues/comments/{id}: progress, then the report',
    'DELETE /repos/acme/shop/pulls/comments/98/reactions/{id}: 👀 away at the end',
  ]);
});

test('lists a branch and a pull request for an issue, and no comment without a thread', () => {
  const push: RunPlan['push'] = {
    kind: 'new_branch',
    ...{ branch: 'anode/1', base: 'main', expected_sha: headSha, closes: 7 },
  };
  const made = [
    'POST /repos/acme/shop/git/refs: the branch anode/1, if anything changed',
    'POST /graphql: a commit on anode/1, if anything changed',
    'POST /repos/acme/shop/pulls: a pull request into main, if anything changed',
    'POST /repos/acme/shop/issues: an issue for each handoff',
  ];
  expect(lines({ push, trigger_comment: null, thread: { kind: 'issue', number: 7, title: 'A' } })).toEqual([
    'POST /repos/acme/shop/issues/7/comments: the progress comment',
    ...made,
    'PATCH /repos/acme/shop/issues/comments/{id}: progress, then the report',
  ]);
  expect(lines({ push, trigger_comment: null, thread: null })).toEqual(made);
});
