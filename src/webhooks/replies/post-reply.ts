import type { Octokit } from '@octokit/rest';
import type { Trigger } from '../commands/trigger.ts';
import type { Reply } from './reply.ts';

/** Tells the asker why there is no run, as the decision says: a 👎 on their comment, or a comment. */
export async function postReply(octokit: Octokit, trigger: Trigger, reply: Reply): Promise<void> {
  const place = { owner: trigger.repository.owner, repo: trigger.repository.name };
  if (reply.kind === 'comment') {
    await octokit.rest.issues.createComment({
      ...place,
      issue_number: trigger.thread.number,
      body: reply.body,
    });
  }
  if (reply.kind === 'restore') await restore(octokit, place, reply);
  if (reply.kind === 'restore' && reply.note !== null) {
    await octokit.rest.issues.createComment({
      ...place,
      issue_number: trigger.thread.number,
      body: reply.note,
    });
  }
  if (reply.kind !== 'reaction' || trigger.comment === null) return;
  const target = { ...place, comment_id: trigger.comment.id, content: '-1' as const };
  if (trigger.comment.kind === 'issue_comment') await octokit.rest.reactions.createForIssueComment(target);
  else await octokit.rest.reactions.createForPullRequestReviewComment(target);
}

/** Puts a comment of ours back as it was, unless it reads so already. */
async function restore(
  octokit: Octokit,
  place: { readonly owner: string; readonly repo: string },
  { comment_id, body }: Extract<Reply, { kind: 'restore' }>,
): Promise<void> {
  const { data } = await octokit.rest.issues.getComment({ ...place, comment_id });
  if (data.body !== body) await octokit.rest.issues.updateComment({ ...place, comment_id, body });
}
