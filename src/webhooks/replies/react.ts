import type { Octokit } from '@octokit/rest';
import type { Trigger } from '../commands/trigger.ts';

/** Adds a reaction to the trigger's comment, if it has one. Repeating it has no effect. */
export async function react(
  octokit: Octokit,
  trigger: Trigger,
  content: 'eyes' | '-1' | '+1' | 'heart',
): Promise<void> {
  if (trigger.comment === null) return;
  const { owner, name: repo } = trigger.repository;
  const reaction = { owner, repo, comment_id: trigger.comment.id, content };
  if (trigger.comment.kind === 'issue_comment') await octokit.rest.reactions.createForIssueComment(reaction);
  else await octokit.rest.reactions.createForPullRequestReviewComment(reaction);
}
