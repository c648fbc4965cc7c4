import { assertVisible, permit, permitThread } from '../protocol/authorize.ts';
import { actorOf } from '../protocol/call.ts';
import { findRepository, findThread, type Repository, type Thread } from '../world.ts';
import { connection } from './connection.ts';
import type { GraphqlContext, Node } from './context.ts';
import { findNode } from './find-node.ts';
import {
  actorNode,
  commentNode,
  repositoryNode,
  reviewCommentNode,
  reviewThreadNode,
  threadNode,
} from './nodes.ts';
import { GraphqlRefusal } from './refusal.ts';

function visibleRepository({ world, credential }: GraphqlContext, fullName: string): Repository {
  const repository = findRepository(world, fullName);
  const refusal = () =>
    new GraphqlRefusal('NOT_FOUND', `Could not resolve to a Repository with the name '${fullName}'.`);
  if (repository === undefined) throw refusal();
  assertVisible(credential, repository);
  permit({ credential, repository }, 'metadata', 'read');
  return repository;
}

function threadIn(
  context: GraphqlContext,
  repository: Repository,
  number: number,
  kind: 'PullRequest' | 'Issue',
): Thread {
  const thread = findThread(repository, number);
  if (thread === undefined || (thread.pull === null) !== (kind === 'Issue'))
    throw new GraphqlRefusal(
      'NOT_FOUND',
      `Could not resolve to ${kind === 'Issue' ? 'an' : 'a'} ${kind} with the number of ${number}.`,
    );
  permitThread({ credential: context.credential, repository }, thread, 'read');
  return thread;
}

function repository({ owner, name }: { owner: string; name: string }, context: GraphqlContext): Node {
  const found = visibleRepository(context, `${owner}/${name}`);
  const { world, credential } = context;
  const list =
    (kind: 'PullRequest' | 'Issue') =>
    (page: Parameters<ReturnType<typeof connection>>[0] & { states?: readonly string[] | null }) => {
      permit({ credential, repository: found }, kind === 'Issue' ? 'issues' : 'pull_requests', 'read');
      const threads = found.threads.filter(
        (thread) =>
          (thread.pull === null) === (kind === 'Issue') &&
          (page.states == null || page.states.includes(thread.state.toUpperCase())),
      );
      return connection(kind, threads, (thread) => threadNode(world, thread))(page);
    };
  return {
    ...repositoryNode(world, found),
    pullRequest: ({ number }: { number: number }) =>
      threadNode(world, threadIn(context, found, number, 'PullRequest')),
    issue: ({ number }: { number: number }) => threadNode(world, threadIn(context, found, number, 'Issue')),
    issueOrPullRequest: ({ number }: { number: number }) => {
      const kind = findThread(found, number)?.pull == null ? 'Issue' : 'PullRequest';
      return threadNode(world, threadIn(context, found, number, kind));
    },
    pullRequests: list('PullRequest'),
    issues: list('Issue'),
  };
}

function node({ id }: { id: string }, context: GraphqlContext): Node {
  const found = findNode(context, id, 'read');
  switch (found.kind) {
    case 'thread':
      return threadNode(context.world, found.thread);
    case 'comment':
      return commentNode(context.world, found.comment);
    case 'review_comment':
      return reviewCommentNode(context.world, found.comment);
    case 'review_thread':
      return reviewThreadNode(context.world, found.reviewThread);
  }
}

/** The query fields that the stand-in has built. */
export const queries = {
  repository,
  node,
  nodes: ({ ids }: { ids: readonly string[] }, context: GraphqlContext) =>
    ids.map((id) => node({ id }, context)),
  viewer: (_: unknown, { world, credential }: GraphqlContext): Node => {
    const account = actorOf(credential);
    return { ...actorNode(world, account), __typename: 'User', login: account.login };
  },
  rateLimit: (_: unknown, { world }: GraphqlContext): Node => ({
    limit: 5000,
    cost: 1,
    remaining: 4999,
    used: 1,
    resetAt: new Date(world.now().getTime() + 3_600_000).toISOString(),
  }),
};
