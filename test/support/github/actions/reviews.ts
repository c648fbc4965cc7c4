import { mergeBase } from '../git/diff.ts';
import { resolveCommit } from '../git/git.ts';
import { ApiError, validationFailed } from '../protocol/api-error.ts';
import { pullShape, reviewCommentShape, reviewShape } from '../shapes/pull.ts';
import {
  type Account,
  isPull,
  nodeId,
  type PullThread,
  type Review,
  type ReviewComment,
  type ReviewThread,
  type Thread,
  timestamp,
  type World,
} from '../world.ts';
import { type Anchor, anchor, type DraftComment, pullFiles } from './anchor.ts';
import { assertBody } from './text-rules.ts';
import type { Author } from './threads.ts';

async function assertCommit(thread: PullThread, sha: string): Promise<void> {
  const { directory } = thread.repository;
  const known = await resolveCommit(directory, sha);
  if (known === null || (await mergeBase(directory, known, thread.pull.headSha)) !== known)
    throw validationFailed(
      'PullRequestReview',
      'commit_id',
      'invalid',
      'commit_id is not part of the pull request',
    );
}

export interface NewReview {
  readonly commitId?: string | undefined;
  readonly body?: string | undefined;
  readonly event?: 'APPROVE' | 'REQUEST_CHANGES' | 'COMMENT' | undefined;
  readonly comments?: readonly DraftComment[] | undefined;
}

/** Writes a review with its comments, all of them or none. Without an event it stays pending. */
export async function createReview(
  world: World,
  thread: PullThread,
  by: Author,
  fields: NewReview,
): Promise<Review> {
  const { repository } = thread;
  const commitId = fields.commitId ?? thread.pull.headSha;
  const comments = fields.comments ?? [];
  await assertCommit(thread, commitId);
  assertBody('PullRequestReview', fields.body);
  for (const comment of comments) assertBody('PullRequestReviewComment', comment.body, true);
  const pending = repository.reviews.some(
    (review) => review.thread === thread && review.state === 'PENDING' && review.author.id === by.account.id,
  );
  if (pending)
    throw new ApiError(422, 'Unprocessable Entity', [
      'User can only have one pending review per pull request',
    ]);
  if (fields.event !== undefined)
    assertSubmittable(thread, by.account, fields.event, fields.body ?? '', comments.length);
  const files = comments.length === 0 ? [] : await pullFiles(world, thread, commitId);
  const anchors = comments.map((comment) => anchor(files, comment));
  const id = world.nextId();
  const review: Review = {
    id,
    nodeId: nodeId('PRR', id),
    thread,
    author: by.account,
    app: by.app,
    createdAt: timestamp(world),
    body: fields.body ?? '',
    state: 'PENDING',
    commitId,
    submittedAt: null,
  };
  repository.reviews.push(review);
  for (const [index, comment] of comments.entries()) {
    const place = anchors[index];
    if (place !== undefined) addReviewComment(world, review, by, comment, place, null);
  }
  if (fields.event !== undefined) submitReview(world, review, fields.event, review.body);
  return review;
}

const outcomes = { APPROVE: 'APPROVED', REQUEST_CHANGES: 'CHANGES_REQUESTED', COMMENT: 'COMMENTED' } as const;

function assertSubmittable(
  thread: Thread,
  author: Account,
  event: keyof typeof outcomes,
  body: string,
  comments: number,
): void {
  if (event !== 'COMMENT' && thread.author.id === author.id) {
    const verb = event === 'APPROVE' ? 'approve' : 'request changes on';
    throw new ApiError(422, 'Unprocessable Entity', [`Review Can not ${verb} your own pull request`]);
  }
  const empty = body.trim() === '' && (comments === 0 || event === 'REQUEST_CHANGES');
  if (event !== 'APPROVE' && empty)
    throw new ApiError(422, 'Unprocessable Entity', ['Could not submit review: body cannot be blank']);
}

/** Submits a pending review; tells of it and of each of its comments. */
export function submitReview(world: World, review: Review, event: keyof typeof outcomes, body: string): void {
  const { thread } = review;
  const comments = thread.repository.reviewComments.filter((comment) => comment.review === review);
  if (review.state !== 'PENDING')
    throw new ApiError(422, 'Unprocessable Entity', ['Can only submit a pending review']);
  assertSubmittable(thread, review.author, event, body, comments.length);
  review.body = body;
  review.state = outcomes[event];
  review.submittedAt = timestamp(world);
  thread.updatedAt = review.submittedAt;
  const submitted = { ...reviewShape(world, review), state: review.state.toLowerCase() };
  emitReview(world, 'pull_request_review', 'submitted', review.author, thread, { review: submitted });
  for (const comment of comments) emitReviewComment(world, comment, 'created', review.author);
}

/** Changes the text of a review. */
export function editReview(world: World, review: Review, sender: Account, body: string): void {
  assertBody('PullRequestReview', body, true);
  const from = review.body;
  review.body = body;
  emitReview(world, 'pull_request_review', 'edited', sender, review.thread, {
    review: { ...reviewShape(world, review), state: review.state.toLowerCase() },
    changes: { body: { from } },
  });
}

/** Takes the verdict of a review back; a comment has none. */
export function dismissReview(world: World, review: Review, by: Account): void {
  if (review.state !== 'APPROVED' && review.state !== 'CHANGES_REQUESTED')
    throw new ApiError(422, 'Unprocessable Entity', ['Can not dismiss a commented pull request review']);
  review.state = 'DISMISSED';
  emitReview(world, 'pull_request_review', 'dismissed', by, review.thread, {
    review: { ...reviewShape(world, review), state: 'dismissed' },
  });
}

function addReviewComment(
  world: World,
  review: Review,
  by: Author,
  draft: Pick<DraftComment, 'path' | 'body' | 'subject_type'>,
  place: Anchor,
  inReplyTo: ReviewComment | null,
): ReviewComment {
  const { thread } = review;
  const at = timestamp(world);
  const id = world.nextId();
  const comment: ReviewComment = {
    id,
    nodeId: nodeId('PRRC', id),
    thread,
    review,
    inReplyTo,
    author: by.account,
    app: by.app,
    body: draft.body,
    createdAt: at,
    updatedAt: at,
    reactions: [],
    path: draft.path,
    side: place.side,
    startSide: place.startLine === null ? null : place.side,
    line: place.line,
    startLine: place.startLine,
    originalLine: place.line,
    originalStartLine: place.startLine,
    originalCommitId: review.commitId,
    diffHunk: place.diffHunk,
    subjectType: draft.subject_type === 'file' ? 'file' : 'line',
    minimized: null,
  };
  thread.repository.reviewComments.push(comment);
  if (inReplyTo === null) {
    const threadId = world.nextId();
    thread.repository.reviewThreads.push({
      id: threadId,
      nodeId: nodeId('PRRT', threadId),
      root: comment,
      resolvedBy: null,
    });
  }
  return comment;
}

/** Writes one comment on the diff in its own review, as GitHub does. */
export async function createReviewComment(
  world: World,
  thread: PullThread,
  by: Author,
  commitId: string,
  draft: DraftComment,
): Promise<ReviewComment> {
  assertBody('PullRequestReviewComment', draft.body, true);
  await assertCommit(thread, commitId);
  const place = anchor(await pullFiles(world, thread, commitId), draft);
  const review = ownReview(world, thread, by, commitId);
  const comment = addReviewComment(world, review, by, draft, place, null);
  emitReviewComment(world, comment, 'created', by.account);
  return comment;
}

/** Answers in the conversation that a comment on the diff started. */
export function replyToReviewComment(
  world: World,
  to: ReviewComment,
  by: Author,
  body: string,
): ReviewComment {
  assertBody('PullRequestReviewComment', body, true);
  const root = to.inReplyTo ?? to;
  const review = ownReview(world, root.thread, by, root.thread.pull?.headSha ?? root.originalCommitId);
  const place = { side: root.side, line: root.line, startLine: root.startLine, diffHunk: root.diffHunk };
  const comment = addReviewComment(world, review, by, { path: root.path, body }, place, root);
  emitReviewComment(world, comment, 'created', by.account);
  return comment;
}

function ownReview(world: World, thread: Thread, by: Author, commitId: string): Review {
  const id = world.nextId();
  const at = timestamp(world);
  const review: Review = {
    id,
    nodeId: nodeId('PRR', id),
    thread,
    author: by.account,
    app: by.app,
    createdAt: at,
    body: '',
    state: 'COMMENTED',
    commitId,
    submittedAt: at,
  };
  thread.repository.reviews.push(review);
  return review;
}

/** Changes the body of a comment on the diff. */
export function editReviewComment(world: World, comment: ReviewComment, sender: Account, body: string): void {
  assertBody('PullRequestReviewComment', body, true);
  const from = comment.body;
  comment.body = body;
  comment.updatedAt = timestamp(world);
  emitReviewComment(world, comment, 'edited', sender, { changes: { body: { from } } });
}

/** Takes a comment on the diff away, and its conversation with the last one. */
export function deleteReviewComment(world: World, comment: ReviewComment, sender: Account): void {
  const { reviewComments, reviewThreads } = comment.thread.repository;
  reviewComments.splice(reviewComments.indexOf(comment), 1);
  const thread = reviewThreads.findIndex(({ root }) => root === comment);
  if (thread >= 0 && !reviewComments.some(({ inReplyTo }) => inReplyTo === comment))
    reviewThreads.splice(thread, 1);
  emitReviewComment(world, comment, 'deleted', sender);
}

/** Resolves or reopens the conversation on a line; already so changes nothing. */
export function setResolved(world: World, thread: ReviewThread, by: Account, resolved: boolean): void {
  if ((thread.resolvedBy !== null) === resolved) return;
  thread.resolvedBy = resolved ? by : null;
  const pull = thread.root.thread;
  const comments = pull.repository.reviewComments
    .filter((comment) => comment === thread.root || comment.inReplyTo === thread.root)
    .map((comment) => reviewCommentShape(world, comment));
  emitReview(world, 'pull_request_review_thread', resolved ? 'resolved' : 'unresolved', by, pull, {
    thread: { node_id: thread.nodeId, comments },
  });
}

function emitReviewComment(
  world: World,
  comment: ReviewComment,
  action: string,
  sender: Account,
  data: Record<string, unknown> = {},
): void {
  emitReview(world, 'pull_request_review_comment', action, sender, comment.thread, {
    comment: reviewCommentShape(world, comment),
    ...data,
  });
}

function emitReview(
  world: World,
  event: string,
  action: string,
  sender: Account,
  thread: Thread,
  data: Record<string, unknown>,
): void {
  if (!isPull(thread)) throw new Error('Only pull requests are reviewed');
  const pull = pullShape(world, thread);
  world.emit({ event, action, repository: thread.repository, sender, data: { pull_request: pull, ...data } });
}
