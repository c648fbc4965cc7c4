import type { RunPlan } from '../../contract/plan.ts';
import type { OwnPosts } from '../findings/own-posts.ts';
import type { PublishPorts } from '../posting/ports.ts';

const reasons = {
  APPROVED: 'There are open findings',
  CHANGES_REQUESTED: 'Nothing that asks for changes is open',
} as const;

/** Dismisses our own approvals or requests for changes, since their reason is gone. Others' reviews are not touched. */
export async function withdrawReviews(
  withdrawn: 'APPROVED' | 'CHANGES_REQUESTED',
  plan: RunPlan,
  { reviews }: OwnPosts,
  { octokit }: Pick<PublishPorts, 'octokit'>,
): Promise<void> {
  for (const { id, state } of reviews) {
    if (state !== withdrawn) continue;
    await octokit.rest.pulls.dismissReview({
      owner: plan.repository.owner,
      repo: plan.repository.name,
      pull_number: plan.thread?.number ?? 0,
      review_id: id,
      message: `${reasons[withdrawn]} at ${plan.checkout.sha.slice(0, 12)}.`,
    });
  }
}
