import { expect, test } from 'vitest';
import { react } from '../../../src/webhooks/replies/react.ts';
import { askedFor } from '../event-request.ts';

test('adds a reaction to a comment by its kind, and none without a comment', async () => {
  const asked: unknown[] = [];
  const octokit = {
    rest: {
      reactions: {
        createForIssueComment: async (query: object) => asked.push(['issue', query]),
        createForPullRequestReviewComment: async (query: object) => asked.push(['review', query]),
      },
    },
  } as never;
  await react(octokit, askedFor(), 'eyes');
  await react(octokit, askedFor({ comment: { id: 8, kind: 'review_comment' } }), '-1');
  await react(octokit, askedFor({ comment: null }), '+1');
  const where = { owner: 'acme', repo: 'shop' };
  expect(asked).toEqual([
    ['issue', { ...where, comment_id: 9, content: 'eyes' }],
    ['review', { ...where, comment_id: 8, content: '-1' }],
  ]);
});
