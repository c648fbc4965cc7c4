import { assertVisible, permitThread } from '../protocol/authorize.ts';
import type { Access, Comment, Repository, ReviewComment, ReviewThread, Thread } from '../world.ts';
import type { GraphqlContext } from './context.ts';
import { GraphqlRefusal } from './refusal.ts';

/** The kinds of things that a global node id names here. */
export type Found =
  | { readonly kind: 'thread'; readonly thread: Thread }
  | { readonly kind: 'comment'; readonly thread: Thread; readonly comment: Comment }
  | { readonly kind: 'review_comment'; readonly thread: Thread; readonly comment: ReviewComment }
  | { readonly kind: 'review_thread'; readonly thread: Thread; readonly reviewThread: ReviewThread };

function lookIn(repository: Repository, id: string): Found | undefined {
  const thread = repository.threads.find(({ nodeId }) => nodeId === id);
  if (thread !== undefined) return { kind: 'thread', thread };
  const comment = repository.comments.find(({ nodeId }) => nodeId === id);
  if (comment !== undefined) return { kind: 'comment', thread: comment.thread, comment };
  const remark = repository.reviewComments.find(({ nodeId }) => nodeId === id);
  if (remark !== undefined) return { kind: 'review_comment', thread: remark.thread, comment: remark };
  const reviewThread = repository.reviewThreads.find(({ nodeId }) => nodeId === id);
  if (reviewThread !== undefined)
    return { kind: 'review_thread', thread: reviewThread.root.thread, reviewThread };
  return undefined;
}

/**
 * The object with the id, if the credential has that access to its thread. Throws as GitHub does
 * else.
 */
export function findNode({ world, credential }: GraphqlContext, id: string, access: Access): Found {
  for (const repository of world.repositories.values()) {
    const found = lookIn(repository, id);
    if (found === undefined) continue;
    assertVisible(credential, repository);
    permitThread({ credential, repository }, found.thread, access);
    return found;
  }
  throw new GraphqlRefusal('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`);
}
