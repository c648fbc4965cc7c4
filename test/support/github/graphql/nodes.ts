import { pullFiles } from '../actions/anchor.ts';
import { closingIssues } from '../actions/pulls.ts';
import { branchHead } from '../git/git.ts';
import { type CommitRecord, readCommit, readCommits } from '../git/read-commit.ts';
import { accountNodeId } from '../shapes/account.ts';
import { accountOfEmail } from '../shapes/commit.ts';
import { association, pageBase } from '../shapes/repository.ts';
import { threadPage } from '../shapes/thread.ts';
import {
  type Account,
  type Comment,
  isPull,
  nodeId,
  type Reaction,
  type Repository,
  type Review,
  type ReviewComment,
  type ReviewThread,
  type Thread,
  type World,
} from '../world.ts';
import { connection } from './connection.ts';
import type { Node } from './context.ts';

/** An account as GraphQL's `Actor`: a bot's login is there without `[bot]`, and a deleted account is null. */
export function actorNode(world: World, account: Account): Node | null {
  if (account.deleted) return null;
  return {
    __typename: account.type,
    id: accountNodeId(account),
    databaseId: account.id,
    login: account.login.replace(/\[bot\]$/, ''),
    name: account.login,
    url: `${world.url}/${account.login}`,
    resourcePath: `/${account.login}`,
    avatarUrl: `${world.url}/avatars/${account.id}`,
  };
}

const written = (
  world: World,
  item: {
    nodeId: string;
    id: number;
    author: Account;
    createdAt: string;
    updatedAt: string;
    reactions: readonly Reaction[];
  },
  repository: Repository,
): Node => ({
  id: item.nodeId,
  databaseId: item.id,
  fullDatabaseId: String(item.id),
  author: actorNode(world, item.author),
  authorAssociation: association(repository, item.author),
  createdAt: item.createdAt,
  updatedAt: item.updatedAt,
  publishedAt: item.createdAt,
  lastEditedAt: item.updatedAt === item.createdAt ? null : item.updatedAt,
  includesCreatedEdit: item.updatedAt !== item.createdAt,
  reactions: connection('reactions', item.reactions, (reaction) => ({
    id: nodeId('REA', reaction.id),
    content: reactionContent(reaction.content),
    user: actorNode(world, reaction.user),
  })),
});

const contents: Readonly<Record<string, string>> = { '+1': 'THUMBS_UP', '-1': 'THUMBS_DOWN' };
const reactionContent = (content: string) => contents[content] ?? content.toUpperCase();

/** A repository. */
export function repositoryNode(world: World, repository: Repository): Node {
  return {
    __typename: 'Repository',
    id: repository.nodeId,
    databaseId: repository.id,
    name: repository.name,
    nameWithOwner: repository.fullName,
    owner: actorNode(world, repository.owner),
    url: pageBase(world, repository),
    isPrivate: repository.private,
    isFork: repository.parent !== null,
    isArchived: repository.archived,
    description: null,
    visibility: repository.private ? 'PRIVATE' : 'PUBLIC',
    createdAt: repository.createdAt,
    defaultBranchRef: () => refNode(world, repository, `refs/heads/${repository.defaultBranch}`),
    ref: ({ qualifiedName }: { qualifiedName: string }) =>
      refNode(
        world,
        repository,
        qualifiedName.startsWith('refs/') ? qualifiedName : `refs/heads/${qualifiedName}`,
      ),
  };
}

async function refNode(world: World, repository: Repository, ref: string): Promise<Node | null> {
  const branch = ref.replace(/^refs\/heads\//, '');
  const sha = await branchHead(repository.directory, branch);
  if (sha === null) return null;
  return {
    __typename: 'Ref',
    id: `${nodeId('REF', repository.id)}${ref}`,
    name: branch,
    prefix: 'refs/heads/',
    target: async () => commitNode(world, repository, await readCommit(repository.directory, sha)),
  };
}

/** A commit of a repository. */
export function commitNode(world: World, repository: Repository, commit: CommitRecord): Node {
  const person = (signature: CommitRecord['author']) => {
    const account = accountOfEmail(world, signature.email);
    const user = account?.type === 'User' ? actorNode(world, account) : null;
    return {
      __typename: 'GitActor',
      name: signature.name,
      email: signature.email,
      date: signature.date,
      user,
    };
  };
  return {
    __typename: 'Commit',
    id: `C_${commit.sha}`,
    oid: commit.sha,
    abbreviatedOid: commit.sha.slice(0, 7),
    message: commit.message,
    messageHeadline: commit.message.split('\n')[0] ?? '',
    messageBody: commit.message.split('\n').slice(2).join('\n'),
    authoredDate: commit.author.date,
    committedDate: commit.committer.date,
    author: person(commit.author),
    committer: person(commit.committer),
    url: `${pageBase(world, repository)}/commit/${commit.sha}`,
    commitUrl: `${pageBase(world, repository)}/commit/${commit.sha}`,
  };
}

/** A comment of a conversation. */
export function commentNode(world: World, comment: Comment): Node {
  const { thread } = comment;
  return {
    __typename: 'IssueComment',
    ...written(world, comment, thread.repository),
    body: comment.body,
    bodyText: comment.body,
    url: `${threadPage(world, thread)}#issuecomment-${comment.id}`,
    isMinimized: comment.minimized !== null,
    minimizedReason: comment.minimized,
  };
}

/** A comment on the diff. */
export function reviewCommentNode(world: World, comment: ReviewComment): Node {
  const { thread } = comment;
  return {
    __typename: 'PullRequestReviewComment',
    ...written(world, comment, thread.repository),
    body: comment.body,
    bodyText: comment.body,
    path: comment.path,
    line: comment.line,
    startLine: comment.startLine,
    originalLine: comment.originalLine,
    originalStartLine: comment.originalStartLine,
    diffHunk: comment.diffHunk,
    outdated: comment.subjectType === 'line' && comment.line === null,
    state: comment.review.state === 'PENDING' ? 'PENDING' : 'SUBMITTED',
    url: `${threadPage(world, thread)}#discussion_r${comment.id}`,
    isMinimized: comment.minimized !== null,
    minimizedReason: comment.minimized,
    replyTo: () => (comment.inReplyTo === null ? null : reviewCommentNode(world, comment.inReplyTo)),
    pullRequestReview: () => reviewNode(world, comment.review),
  };
}

/** A review. */
export function reviewNode(world: World, review: Review): Node {
  const { thread } = review;
  const own = thread.repository.reviewComments.filter((comment) => comment.review === review);
  const at = review.submittedAt ?? review.createdAt;
  return {
    __typename: 'PullRequestReview',
    ...written(world, { ...review, updatedAt: at, reactions: [] }, thread.repository),
    body: review.body,
    state: review.state,
    submittedAt: review.submittedAt,
    url: `${threadPage(world, thread)}#pullrequestreview-${review.id}`,
    isMinimized: false,
    comments: connection('comments', own, (comment) => reviewCommentNode(world, comment)),
  };
}

/** The conversation on a line of the diff. */
export function reviewThreadNode(world: World, reviewThread: ReviewThread): Node {
  const { root } = reviewThread;
  const own = root.thread.repository.reviewComments.filter(
    (comment) => comment === root || comment.inReplyTo === root,
  );
  return {
    __typename: 'PullRequestReviewThread',
    id: reviewThread.nodeId,
    isResolved: reviewThread.resolvedBy !== null,
    resolvedBy: reviewThread.resolvedBy === null ? null : actorNode(world, reviewThread.resolvedBy),
    isOutdated: root.subjectType === 'line' && root.line === null,
    isCollapsed: reviewThread.resolvedBy !== null,
    path: root.path,
    line: root.line,
    startLine: root.startLine,
    originalLine: root.originalLine,
    originalStartLine: root.originalStartLine,
    diffSide: root.side,
    startDiffSide: root.startSide,
    subjectType: root.subjectType.toUpperCase(),
    pullRequest: () => threadNode(world, root.thread),
    comments: connection('comments', own, (comment) => reviewCommentNode(world, comment)),
  };
}

/** An issue or a pull request. */
export function threadNode(world: World, thread: Thread): Node {
  const { repository } = thread;
  const own = repository.comments.filter((comment) => comment.thread === thread);
  const labels = [...thread.labels].flatMap((name) => repository.labels.get(name.toLowerCase()) ?? []);
  const common: Node = {
    ...written(world, thread, repository),
    number: thread.number,
    title: thread.title,
    body: thread.body ?? '',
    bodyText: thread.body ?? '',
    state: thread.pull?.mergedAt != null ? 'MERGED' : thread.state.toUpperCase(),
    closed: thread.state === 'closed',
    closedAt: thread.closedAt,
    locked: thread.locked,
    url: threadPage(world, thread),
    repository: () => repositoryNode(world, repository),
    comments: connection('comments', own, (comment) => commentNode(world, comment)),
    labels: connection('labels', labels, (label) => ({
      id: label.nodeId,
      name: label.name,
      color: label.color,
      description: label.description,
    })),
    assignees: connection('assignees', [...thread.assignees], (account) => actorNode(world, account)),
  };
  if (!isPull(thread))
    return { ...common, __typename: 'Issue', stateReason: thread.stateReason?.toUpperCase() ?? null };
  const { pull } = thread;
  const { directory } = repository;
  const on = <Item extends { readonly thread: Thread }>(items: readonly Item[]) =>
    items.filter((item) => item.thread === thread);
  const reviews = on(repository.reviews).filter(({ state }) => state !== 'PENDING');
  const threads = repository.reviewThreads.filter(({ root }) => root.thread === thread);
  return {
    ...common,
    __typename: 'PullRequest',
    isDraft: pull.draft,
    isCrossRepository: pull.headRepository !== repository,
    maintainerCanModify: pull.headRepository !== repository,
    merged: pull.mergedAt !== null,
    mergedAt: pull.mergedAt,
    headRefName: pull.headBranch,
    headRefOid: pull.headSha,
    baseRefName: pull.baseBranch,
    baseRefOid: pull.baseSha,
    headRepository: () => (pull.headRepository.deleted ? null : repositoryNode(world, pull.headRepository)),
    baseRepository: () => repositoryNode(world, repository),
    headRepositoryOwner: actorNode(world, pull.headRepository.owner),
    additions: async () => (await pullFiles(world, thread)).reduce((sum, file) => sum + file.additions, 0),
    deletions: async () => (await pullFiles(world, thread)).reduce((sum, file) => sum + file.deletions, 0),
    changedFiles: async () => (await pullFiles(world, thread)).length,
    reviews: connection('reviews', reviews, (review) => reviewNode(world, review)),
    reviewThreads: connection('reviewThreads', threads, (item) => reviewThreadNode(world, item)),
    closingIssuesReferences: connection('closingIssuesReferences', closingIssues(thread), (issue) =>
      threadNode(world, issue),
    ),
    commits: async (page: Parameters<ReturnType<typeof connection>>[0]) => {
      const commits = await readCommits(directory, [`${pull.baseSha}..${pull.headSha}`], ['--reverse']);
      return connection('commits', commits, (commit) => ({
        id: `PRC_${commit.sha}`,
        commit: commitNode(world, repository, commit),
      }))(page);
    },
    files: async (page: Parameters<ReturnType<typeof connection>>[0]) =>
      connection('files', await pullFiles(world, thread), (file) => ({
        path: file.path,
        additions: file.additions,
        deletions: file.deletions,
        changeType: file.status === 'removed' ? 'DELETED' : file.status.toUpperCase(),
      }))(page),
  };
}
