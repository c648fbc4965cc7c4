import type { RunPlan } from '../contract/plan.ts';
import type { OwnPosts } from './findings/own-posts.ts';
import type { PublishPorts } from './ports.ts';

/** Dismisses our own requests for changes, since what they asked for is done. Others' reviews are not touched. */
export async function withdrawRequests(
  plan: RunPlan,
  { reviews }: OwnPosts,
  { octokit }: Pick<PublishPorts, 'octokit'>,
): Promise<void> {
  for (const { id, state } of reviews) {
    if (state !== 'CHANGES_REQUESTED') continue;
    await octokit.rest.pulls.dismissReview({
      owner: plan.repository.owner,
      repo: plan.repository.name,
      pull_number: plan.thread?.number ?? 0,
      review_id: id,
      message: `Nothing that asks for changes is open at ${plan.checkout.sha.slice(0, 12)}.`,
    });
  }
}
