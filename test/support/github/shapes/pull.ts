import { diffFiles, mergeBase } from '../git/diff.ts';
import { git } from '../git/git.ts';
import type { PullThread, Repository, Review, ReviewComment, World } from '../world.ts';
import { accountShape, appOrNull, authorShape } from './account.ts';
import { apiBase, association, repositoryShape } from './repository.ts';
import { reactionRollup, threadLabels, threadPage } from './thread.ts';

/** One end of a pull request. A deleted repository is null, though the description does not say so. */
const end = (world: World, repository: Repository, branch: string, sha: string) => ({
  label: repository.deleted ? `unknown repository:${branch}` : `${repository.owner.login}:${branch}`,
  ref: branch,
  sha,
  user: authorShape(world, repository.owner),
  repo: repository.deleted ? null : repositoryShape(world, repository),
});

/** A pull request as lists give it (`pull-request-simple`). */
export function pullShape(world: World, thread: PullThread): Record<string, unknown> {
  const { pull, repository } = thread;
  const api = `${apiBase(world, repository)}/pulls/${thread.number}`;
  const issue = `${apiBase(world, repository)}/issues/${thread.number}`;
  const page = threadPage(world, thread);
  const assignees = [...thread.assignees].map((account) => accountShape(world, account));
  const links = {
    self: api,
    html: page,
    issue,
    comments: `${issue}/comments`,
    review_comments: `${api}/comments`,
    review_comment: `${apiBase(world, repository)}/pulls/comments{/number}`,
    commits: `${api}/commits`,
    statuses: `${apiBase(world, repository)}/statuses/${pull.headSha}`,
  };
  return {
    url: api,
    id: thread.id,
    node_id: thread.nodeId,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: issue,
    commits_url: links.commits,
    review_comments_url: links.review_comments,
    review_comment_url: links.review_comment,
    comments_url: links.comments,
    statuses_url: links.statuses,
    number: thread.number,
    state: thread.state,
    locked: thread.locked,
    title: thread.title,
    user: accountShape(world, thread.author),
    body: thread.body,
    labels: threadLabels(world, thread),
    milestone: null,
    active_lock_reason: thread.locked ? 'resolved' : null,
    created_at: thread.createdAt,
    updated_at: thread.updatedAt,
    closed_at: thread.closedAt,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommit,
    assignee: assignees[0] ?? null,
    assignees,
    requested_reviewers: [...pull.reviewers].map((account) => accountShape(world, account)),
    requested_teams: [],
    head: end(world, pull.headRepository, pull.headBranch, pull.headSha),
    base: end(world, repository, pull.baseBranch, pull.baseSha),
    _links: Object.fromEntries(Object.entries(links).map(([name, href]) => [name, { href }])),
    author_association: association(repository, thread.author),
    auto_merge: null,
    draft: pull.draft,
  };
}

/** A pull request in full, with what only git can count. */
export async function fullPullShape(world: World, thread: PullThread): Promise<Record<string, unknown>> {
  const { repository, pull } = thread;
  const { directory } = repository;
  const from = (await mergeBase(directory, pull.baseSha, pull.headSha)) ?? pull.baseSha;
  const [files, commits] = await Promise.all([
    diffFiles(directory, from, pull.headSha),
    git(directory, ['rev-list', '--count', `${pull.baseSha}..${pull.headSha}`]),
  ]);
  return {
    ...pullShape(world, thread),
    merged: pull.mergedAt !== null,
    mergeable: null,
    rebaseable: null,
    mergeable_state: pull.draft ? 'draft' : 'unknown',
    merged_by: null,
    comments: repository.comments.filter((comment) => comment.thread === thread).length,
    review_comments: repository.reviewComments.filter((comment) => comment.thread === thread).length,
    maintainer_can_modify: pull.headRepository !== repository,
    commits: Number(commits),
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: files.length,
  };
}

/** A review without its comments. */
export function reviewShape(world: World, review: Review): Record<string, unknown> {
  const { thread } = review;
  const page = `${threadPage(world, thread)}#pullrequestreview-${review.id}`;
  const pull = `${apiBase(world, thread.repository)}/pulls/${thread.number}`;
  return {
    id: review.id,
    node_id: review.nodeId,
    user: authorShape(world, review.author),
    body: review.body,
    state: review.state,
    html_url: page,
    pull_request_url: pull,
    _links: { html: { href: page }, pull_request: { href: pull } },
    ...(review.submittedAt === null
      ? {}
      : { submitted_at: review.submittedAt, updated_at: review.submittedAt }),
    commit_id: review.commitId,
    author_association: association(thread.repository, review.author),
  };
}

/** A comment on the diff. */
export function reviewCommentShape(world: World, comment: ReviewComment): Record<string, unknown> {
  const { thread } = comment;
  const base = `${apiBase(world, thread.repository)}/pulls`;
  const api = `${base}/comments/${comment.id}`;
  const page = `${threadPage(world, thread)}#discussion_r${comment.id}`;
  const pull = `${base}/${thread.number}`;
  return {
    url: api,
    pull_request_review_id: comment.review.id,
    id: comment.id,
    node_id: comment.nodeId,
    diff_hunk: comment.diffHunk,
    path: comment.path,
    position: comment.line === null ? null : comment.diffHunk.split('\n').length - 1,
    original_position: comment.diffHunk.split('\n').length - 1,
    commit_id: thread.pull?.headSha ?? comment.originalCommitId,
    original_commit_id: comment.originalCommitId,
    ...(comment.inReplyTo === null ? {} : { in_reply_to_id: comment.inReplyTo.id }),
    user: authorShape(world, comment.author),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    html_url: page,
    pull_request_url: pull,
    author_association: association(thread.repository, comment.author),
    _links: { self: { href: api }, html: { href: page }, pull_request: { href: pull } },
    start_line: comment.startLine,
    original_start_line: comment.originalStartLine,
    start_side: comment.startSide,
    line: comment.line,
    original_line: comment.originalLine,
    side: comment.side,
    subject_type: comment.subjectType,
    performed_via_github_app: appOrNull(world, comment.app),
    reactions: reactionRollup(api, comment.reactions),
  };
}
