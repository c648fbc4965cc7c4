import type { DraftComment } from '../actions/anchor.ts';
import {
  createReview,
  createReviewComment,
  deleteReviewComment,
  dismissReview,
  editReview,
  editReviewComment,
  type NewReview,
  replyToReviewComment,
  submitReview,
} from '../actions/reviews.ts';
import { notFound } from '../protocol/api-error.ts';
import { assertMayEdit, permit } from '../protocol/authorize.ts';
import {
  actorOf,
  appOf,
  bodyOf,
  type Handlers,
  onRepository,
  type RepositoryCall,
} from '../protocol/call.ts';
import { assertUnlocked } from '../rules/conditions.ts';
import { reviewCommentShape, reviewShape } from '../shapes/pull.ts';
import type { Review, ReviewComment } from '../world.ts';
import { pullOf, reviewCommentOf, sorted, updatedSince } from './find.ts';

/** A pending review, and its comments, are seen by their writer only. */
const visible = (call: RepositoryCall) => (review: Review) =>
  review.state !== 'PENDING' ||
  (call.credential.kind === 'token' && call.credential.token.actor.id === review.author.id);

function reviewOf(call: RepositoryCall): Review {
  const thread = pullOf(call);
  const review = call.repository.reviews.find(
    ({ id, thread: on }) => on === thread && id === Number(call.params.review_id),
  );
  if (review === undefined || !visible(call)(review)) throw notFound();
  return review;
}

const by = (call: RepositoryCall) => ({ account: actorOf(call.credential), app: appOf(call.credential) });

const shapes = (call: RepositoryCall, comments: readonly ReviewComment[]) =>
  comments
    .filter(({ review }) => visible(call)(review) && review.state !== 'PENDING')
    .map((comment) => reviewCommentShape(call.world, comment));

export const reviewHandlers: Handlers = {
  'pulls/list-reviews': onRepository((call) => {
    const thread = pullOf(call);
    permit(call, 'pull_requests', 'read');
    const own = call.repository.reviews.filter((review) => review.thread === thread).filter(visible(call));
    return { status: 200, list: own.map((review) => reviewShape(call.world, review)) };
  }),

  'pulls/get-review': onRepository((call) => {
    permit(call, 'pull_requests', 'read');
    return { status: 200, body: reviewShape(call.world, reviewOf(call)) };
  }),

  'pulls/create-review': onRepository(async (call) => {
    const thread = pullOf(call);
    permit(call, 'pull_requests', 'write');
    assertUnlocked(call.credential, thread, 'comment');
    const { commit_id, ...fields } = bodyOf<NewReview & { commit_id?: string }>(call);
    const review = await createReview(call.world, thread, by(call), { ...fields, commitId: commit_id });
    return { status: 200, body: reviewShape(call.world, review) };
  }),

  'pulls/submit-review': onRepository((call) => {
    permit(call, 'pull_requests', 'write');
    const review = reviewOf(call);
    const { event, body } = bodyOf<{ event: 'APPROVE' | 'REQUEST_CHANGES' | 'COMMENT'; body?: string }>(call);
    submitReview(call.world, review, event, body ?? review.body);
    return { status: 200, body: reviewShape(call.world, review) };
  }),

  'pulls/update-review': onRepository((call) => {
    permit(call, 'pull_requests', 'write');
    const review = reviewOf(call);
    assertUnlocked(call.credential, review.thread, 'comment');
    assertMayEdit(call.credential, call.repository, review.author);
    editReview(call.world, review, actorOf(call.credential), bodyOf<{ body: string }>(call).body);
    return { status: 200, body: reviewShape(call.world, review) };
  }),

  'pulls/dismiss-review': onRepository((call) => {
    permit(call, 'pull_requests', 'write');
    const review = reviewOf(call);
    dismissReview(call.world, review, actorOf(call.credential));
    return { status: 200, body: reviewShape(call.world, review) };
  }),

  'pulls/list-comments-for-review': onRepository((call) => {
    permit(call, 'pull_requests', 'read');
    const review = reviewOf(call);
    const own = call.repository.reviewComments.filter((comment) => comment.review === review);
    return { status: 200, list: own.map((comment) => reviewCommentShape(call.world, comment)) };
  }),

  'pulls/list-review-comments': onRepository((call) => {
    const thread = pullOf(call);
    permit(call, 'pull_requests', 'read');
    const own = call.repository.reviewComments.filter((comment) => comment.thread === thread);
    return { status: 200, list: shapes(call, sorted(updatedSince(own, call.query), call.query, 'asc')) };
  }),

  'pulls/list-review-comments-for-repo': onRepository((call) => {
    permit(call, 'pull_requests', 'read');
    const found = updatedSince(call.repository.reviewComments, call.query);
    return { status: 200, list: shapes(call, sorted(found, call.query, 'asc')) };
  }),

  'pulls/get-review-comment': onRepository((call) => {
    permit(call, 'pull_requests', 'read');
    return { status: 200, body: reviewCommentShape(call.world, reviewCommentOf(call)) };
  }),

  'pulls/create-review-comment': onRepository(async (call) => {
    const thread = pullOf(call);
    permit(call, 'pull_requests', 'write');
    assertUnlocked(call.credential, thread, 'comment');
    const { commit_id, ...draft } = bodyOf<DraftComment & { commit_id: string }>(call);
    const comment = await createReviewComment(call.world, thread, by(call), commit_id, draft);
    return { status: 201, body: reviewCommentShape(call.world, comment) };
  }),

  'pulls/create-reply-for-review-comment': onRepository((call) => {
    const thread = pullOf(call);
    permit(call, 'pull_requests', 'write');
    assertUnlocked(call.credential, thread, 'comment');
    const to = reviewCommentOf(call);
    if (to.thread !== thread) throw notFound();
    const comment = replyToReviewComment(call.world, to, by(call), bodyOf<{ body: string }>(call).body);
    return { status: 201, body: reviewCommentShape(call.world, comment) };
  }),

  'pulls/update-review-comment': onRepository((call) => {
    permit(call, 'pull_requests', 'write');
    const comment = reviewCommentOf(call);
    assertUnlocked(call.credential, comment.thread, 'comment');
    assertMayEdit(call.credential, call.repository, comment.author);
    editReviewComment(call.world, comment, actorOf(call.credential), bodyOf<{ body: string }>(call).body);
    return { status: 200, body: reviewCommentShape(call.world, comment) };
  }),

  'pulls/delete-review-comment': onRepository((call) => {
    permit(call, 'pull_requests', 'write');
    const comment = reviewCommentOf(call);
    assertUnlocked(call.credential, comment.thread, 'comment');
    assertMayEdit(call.credential, call.repository, comment.author);
    deleteReviewComment(call.world, comment, actorOf(call.credential));
    return { status: 204 };
  }),
};
