import type { Octokit } from '@octokit/rest';
import { isNotFound } from '../../github/api-errors.ts';
import type { Trigger } from '../commands/trigger.ts';
import { react } from './react.ts';
import type { Reply } from './reply.ts';

/** A comment as a reply was posted. */
export interface PostedReply {
  readonly id: number;
  readonly kind: 'issue' | 'review';
}

/**
 * Posts a decision's reply: a reaction, a comment, or a restored comment. A comment in a review
 * thread is answered there. Returns the new comment of a reply that is one, else null.
 */
export async function postReply(
  octokit: Octokit,
  trigger: Trigger,
  reply: Reply,
): Promise<PostedReply | null> {
  if (reply.kind === 'comment') return say(octokit, trigger, reply.body);
  await change(octokit, trigger, reply);
  return null;
}

async function change(octokit: Octokit, trigger: Trigger, reply: Reply): Promise<void> {
  const repository = { owner: trigger.repository.owner, repo: trigger.repository.name };
  if (reply.kind === 'restore') await restore(octokit, repository, reply);
  if (reply.kind === 'restore' && reply.note !== null) {
    await octokit.rest.issues.createComment({
      ...repository,
      issue_number: trigger.thread.number,
      body: reply.note,
    });
  }
  if (reply.kind === 'reaction') await react(octokit, trigger, reply.content);
}

/** Begins replies without a run, which no model needs to read. */
export const replyMarker = '<!-- anode:reply v1 -->';

/** Posts a text in the review thread of the request, if there is one; else on the thread. */
async function say(octokit: Octokit, trigger: Trigger, text: string): Promise<PostedReply> {
  const body = `${replyMarker}\n${text}`;
  const { repository, thread, comment, location } = trigger;
  const at = { owner: repository.owner, repo: repository.name };
  const root = location === null ? null : (location.root_id ?? comment?.id ?? null);
  if (root !== null) {
    try {
      const reply = { ...at, pull_number: thread.number, comment_id: root, body };
      const { data } = await octokit.rest.pulls.createReplyForReviewComment(reply);
      return { id: data.id, kind: 'review' };
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  const { data } = await octokit.rest.issues.createComment({ ...at, issue_number: thread.number, body });
  return { id: data.id, kind: 'issue' };
}

/** Restores our comment, unless it is unchanged. */
async function restore(
  octokit: Octokit,
  repository: { readonly owner: string; readonly repo: string },
  { comment_id, body }: Extract<Reply, { kind: 'restore' }>,
): Promise<void> {
  const { data } = await octokit.rest.issues.getComment({ ...repository, comment_id });
  if (data.body !== body) await octokit.rest.issues.updateComment({ ...repository, comment_id, body });
}
