import type { RunPlan } from '../../contract/plan.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import { repoOf } from '../../github/api-target.ts';
import { readApiRefusal } from '../posting/api-failure.ts';
import type { PublishPorts } from '../posting/ports.ts';

/** The comment that may have our 👀. */
interface Reacted extends Pick<RunPlan, 'trigger_comment'> {
  readonly repository: Pick<RunPlan['repository'], 'owner' | 'name'>;
}

/** Removes our 👀 from the comment that started the run, and forgets them. */
export async function removeEyes(
  plan: Reacted,
  { octokit, ownLogin, store }: Pick<PublishPorts, 'octokit' | 'ownLogin' | 'store'>,
): Promise<void> {
  if (plan.trigger_comment === null) return;
  const { id: comment_id, kind } = plan.trigger_comment;
  const target = { ...repoOf(plan), comment_id };
  const wanted = { content: 'eyes', per_page: 100 } as const;
  const { listForIssueComment, listForPullRequestReviewComment } = octokit.rest.reactions;
  const reactions =
    kind === 'issue_comment'
      ? await octokit.paginate(listForIssueComment, { ...target, ...wanted })
      : await octokit.paginate(listForPullRequestReviewComment, { ...target, ...wanted });
  const own = reactions.find((reaction) => reaction.user?.login === ownLogin);
  const { deleteForIssueComment, deleteForPullRequestComment } = octokit.rest.reactions;
  const remove = kind === 'issue_comment' ? deleteForIssueComment : deleteForPullRequestComment;
  if (own !== undefined) await remove({ ...target, reaction_id: own.id });
  await store.delete(stateKeys.eyes(plan.trigger_comment));
}

/** Removes our 👀. Failures are logged only. */
export async function tryRemoveEyes(
  plan: RunPlan,
  { log, ...ports }: Pick<PublishPorts, 'octokit' | 'ownLogin' | 'store' | 'log'>,
): Promise<void> {
  try {
    await removeEyes(plan, ports);
  } catch (error) {
    log.warn(
      { run: plan.run_id, status: readApiRefusal(error).status },
      'The reaction could not be taken away.',
    );
  }
}

/**
 * Adds a 👍 for the requester if there is nothing to say. Repeating it changes nothing. Failures
 * are logged only.
 */
export async function reactDone(
  plan: RunPlan,
  { octokit, log }: Pick<PublishPorts, 'octokit' | 'log'>,
): Promise<void> {
  if (plan.trigger_comment === null) return;
  const { id: comment_id, kind } = plan.trigger_comment;
  const reaction = {
    ...repoOf(plan),
    comment_id,
    content: '+1',
  } as const;
  try {
    const { createForIssueComment, createForPullRequestReviewComment } = octokit.rest.reactions;
    await (kind === 'issue_comment' ? createForIssueComment : createForPullRequestReviewComment)(reaction);
  } catch (error) {
    log.warn({ run: plan.run_id, status: readApiRefusal(error).status }, 'No reaction was given.');
  }
}
