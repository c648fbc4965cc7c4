import type { RunPlan } from '../../contract/plan.ts';
import { readApiFailure } from '../posting/api-failure.ts';
import type { PublishPorts } from '../posting/ports.ts';

/** A 👍 for whoever asked, where there are no words to say; giving it twice is giving it once. A failure is logged only. */
export async function reactDone(
  plan: RunPlan,
  { octokit, log }: Pick<PublishPorts, 'octokit' | 'log'>,
): Promise<void> {
  if (plan.trigger_comment === null) return;
  const { id: comment_id, kind } = plan.trigger_comment;
  const reaction = {
    owner: plan.repository.owner,
    repo: plan.repository.name,
    comment_id,
    content: '+1',
  } as const;
  try {
    const { createForIssueComment, createForPullRequestReviewComment } = octokit.rest.reactions;
    await (kind === 'issue_comment' ? createForIssueComment : createForPullRequestReviewComment)(reaction);
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null) throw error;
    log.warn({ run: plan.run_id, status: failure.status }, 'No reaction was given.');
  }
}
