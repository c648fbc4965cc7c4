import { expect, test } from 'vitest';
import type { OwnPosts } from '../../../src/reporting/findings/own-posts.ts';
import { removeRepeated } from '../../../src/reporting/review/remove-repeated.ts';
import { plan } from './review-world.ts';

/** Removes what review 5 repeated, and returns the calls. */
async function removed(...repeated: NonNullable<OwnPosts['repeated']>) {
  const calls: unknown[] = [];
  const note = (name: string) => async (query: object) => void calls.push([name, query]);
  const pulls = { deleteReviewComment: note('delete'), updateReview: note('update') };
  const review = {
    id: 5,
    url: 'https://r/5',
    state: 'COMMENTED',
    commit: null,
    run: 'run_1',
    partial: false,
  };
  const reviews = [{ ...review, body: 'Mark\n**2 findings**: 2 high.' }];
  const posts = { reviews, comments: [], listed: new Map(), repeated };
  await removeRepeated({ id: 5, url: '', comments: 2 }, posts, plan, {
    octokit: { rest: { pulls } },
  } as never);
  return calls;
}

test('deletes the repeated comments of its own review only, and says where they are', async () => {
  const repository = { owner: 'acme', repo: 'shop' };
  const others = [
    { id: 7, reviewId: 4 },
    { id: 8, reviewId: null },
  ];
  const body = (text: string) =>
    `Mark\n**2 findings**: 2 high. ${text} in a review that was posted at the same time.`;
  const update = { ...repository, pull_number: 7, review_id: 5 };
  expect([
    await removed(...others),
    await removed(...others, { id: 9, reviewId: 5 }),
    await removed({ id: 9, reviewId: 5 }, { id: 10, reviewId: 5 }),
  ]).toEqual([
    [],
    [
      ['delete', { ...repository, comment_id: 9 }],
      ['update', { ...update, body: body('1 comment is') }],
    ],
    [
      ['delete', { ...repository, comment_id: 9 }],
      ['delete', { ...repository, comment_id: 10 }],
      ['update', { ...update, body: body('2 comments are') }],
    ],
  ]);
});
