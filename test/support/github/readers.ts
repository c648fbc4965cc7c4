import type {
  CheckRun,
  Comment,
  PullThread,
  Repository,
  Review,
  ReviewComment,
  ReviewThread,
  Thread,
} from './world.ts';

/** An issue, flat, for tests to compare. */
export const issueRecord = (thread: Thread) => ({
  id: thread.id,
  number: thread.number,
  title: thread.title,
  body: thread.body,
  state: thread.state,
  author: thread.author.login,
  labels: [...thread.labels],
  assignees: [...thread.assignees].map(({ login }) => login),
});

/** A pull request, flat. */
export const pullRecord = (thread: PullThread) => ({
  ...issueRecord(thread),
  draft: thread.pull.draft,
  reviewers: [...thread.pull.reviewers].map(({ login }) => login),
  head: thread.pull.headBranch,
  headRepository: thread.pull.headRepository.fullName,
  headSha: thread.pull.headSha,
  base: thread.pull.baseBranch,
  baseSha: thread.pull.baseSha,
});

/** A comment, flat. */
export const commentRecord = (comment: Comment) => ({
  id: comment.id,
  nodeId: comment.nodeId,
  body: comment.body,
  author: comment.author.login,
  createdAt: comment.createdAt,
  updatedAt: comment.updatedAt,
  minimized: comment.minimized,
});

/** A review, flat. */
export const reviewRecord = (review: Review) => ({
  id: review.id,
  body: review.body,
  state: review.state,
  author: review.author.login,
  commitId: review.commitId,
});

/** A comment on the diff, flat. */
export const reviewCommentRecord = (comment: ReviewComment) => ({
  id: comment.id,
  reviewId: comment.review.id,
  inReplyTo: comment.inReplyTo?.id ?? null,
  body: comment.body,
  author: comment.author.login,
  path: comment.path,
  side: comment.side,
  line: comment.line,
  startLine: comment.startLine,
  minimized: comment.minimized,
});

/** The conversation on a line, flat. */
export const reviewThreadRecord = (thread: ReviewThread) => ({
  nodeId: thread.nodeId,
  path: thread.root.path,
  line: thread.root.line,
  root: thread.root.id,
  resolvedBy: thread.resolvedBy?.login ?? null,
});

/** A check run, flat. */
export const checkRecord = (check: CheckRun) => ({
  id: check.id,
  name: check.name,
  headSha: check.headSha,
  app: check.app?.slug ?? null,
  status: check.status,
  conclusion: check.conclusion,
  title: check.title,
  summary: check.summary,
  text: check.text,
  annotations: [...check.annotations],
  ...(check.actions === undefined ? {} : { actions: check.actions.map(({ identifier }) => identifier) }),
});

/** The reactions on whatever has that id: `{content, user}` in the order they came. */
export function reactionsOf(repository: Repository, id: number): { content: string; user: string }[] {
  const subjects = [...repository.threads, ...repository.comments, ...repository.reviewComments];
  const subject = subjects.find((one) => one.id === id);
  if (subject === undefined) throw new Error(`Nothing with the id ${id} has reactions`);
  return subject.reactions.map(({ content, user }) => ({ content, user: user.login }));
}
