import { setDraft } from '../actions/pulls.ts';
import { setResolved } from '../actions/reviews.ts';
import { assertMayEdit } from '../protocol/authorize.ts';
import { actorOf } from '../protocol/call.ts';
import { assertMayResolve, assertUnlocked } from '../rules/conditions.ts';
import { isPull, type PullThread, type ReviewThread } from '../world.ts';
import type { GraphqlContext, Node } from './context.ts';
import { createCommitOnBranch } from './create-commit.ts';
import { type Found, findNode } from './find-node.ts';
import { commentNode, reviewCommentNode, reviewThreadNode, threadNode } from './nodes.ts';
import { GraphqlRefusal } from './refusal.ts';

interface Mutation {
  readonly clientMutationId?: string | null;
}

const unresolved = (type: string, id: string) =>
  new GraphqlRefusal('NOT_FOUND', `Could not resolve to ${type} node with the global id of '${id}'.`);

function pullById(context: GraphqlContext, id: string): PullThread {
  const found = findNode(context, id, 'write');
  if (found.kind !== 'thread' || !isPull(found.thread)) throw unresolved('PullRequest', id);
  return found.thread;
}

function reviewThreadById(context: GraphqlContext, id: string): ReviewThread {
  const found = findNode(context, id, 'write');
  if (found.kind !== 'review_thread') throw unresolved('PullRequestReviewThread', id);
  return found.reviewThread;
}

const resolving =
  (resolved: boolean) =>
  ({ input }: { input: Mutation & { readonly threadId: string } }, context: GraphqlContext): Node => {
    const thread = reviewThreadById(context, input.threadId);
    assertMayResolve(context.credential, thread.root.thread);
    setResolved(context.world, thread, actorOf(context.credential), resolved);
    return {
      clientMutationId: input.clientMutationId ?? null,
      thread: reviewThreadNode(context.world, thread),
    };
  };

const drafting =
  (draft: boolean) =>
  async (
    { input }: { input: Mutation & { readonly pullRequestId: string } },
    context: GraphqlContext,
  ): Promise<Node> => {
    const thread = pullById(context, input.pullRequestId);
    await setDraft(context.world, thread, draft, actorOf(context.credential));
    return {
      clientMutationId: input.clientMutationId ?? null,
      pullRequest: threadNode(context.world, thread),
    };
  };

function commentById(context: GraphqlContext, id: string): Extract<Found, { comment: unknown }> {
  const found = findNode(context, id, 'write');
  if (found.kind !== 'comment' && found.kind !== 'review_comment') throw unresolved('Minimizable', id);
  const { credential } = context;
  assertUnlocked(credential, found.thread, 'comment');
  // An app with the permission may hide anybody's comment; a person needs to be its writer or to have write access.
  if (credential.kind === 'token' && credential.token.permissions === null)
    assertMayEdit(credential, found.thread.repository, found.comment.author);
  return found;
}

const minimizing =
  (minimized: boolean) =>
  (
    { input }: { input: Mutation & { readonly subjectId: string; readonly classifier?: string } },
    context: GraphqlContext,
  ): Node => {
    const found = commentById(context, input.subjectId);
    found.comment.minimized = minimized ? (input.classifier ?? '').toLowerCase().replace('_', '-') : null;
    const displayed =
      found.kind === 'comment'
        ? commentNode(context.world, found.comment)
        : reviewCommentNode(context.world, found.comment);
    const name = minimized ? 'minimizedComment' : 'unminimizedComment';
    return { clientMutationId: input.clientMutationId ?? null, [name]: displayed };
  };

/** The mutations that the stand-in has built. */
export const mutations = {
  createCommitOnBranch,
  resolveReviewThread: resolving(true),
  unresolveReviewThread: resolving(false),
  markPullRequestReadyForReview: drafting(false),
  convertPullRequestToDraft: drafting(true),
  minimizeComment: minimizing(true),
  unminimizeComment: minimizing(false),
};
