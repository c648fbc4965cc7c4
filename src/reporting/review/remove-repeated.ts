import type { RunPlan } from '../../contract/plan.ts';
import { pullOf, repoOf } from '../../github/api-target.ts';
import type { OwnPosts } from '../findings/own-posts.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { countOf } from '../text/markdown.ts';
import type { PostedReview } from './post-review.ts';

/**
 * Deletes the comments of a review that an earlier review has too, and says so in its text. Two
 * jobs that post in the same moment do not see each other before. Call it after posting.
 */
export async function removeRepeated(
  { id: review_id }: PostedReview,
  { repeated = [], reviews }: OwnPosts,
  plan: RunPlan,
  { octokit }: Pick<PublishPorts, 'octokit'>,
): Promise<void> {
  const { pulls } = octokit.rest;
  const ours = repeated.filter(({ reviewId }) => reviewId === review_id);
  for (const { id } of ours) await pulls.deleteReviewComment({ ...repoOf(plan), comment_id: id });
  const before = reviews.find(({ id }) => id === review_id);
  if (ours.length === 0 || before === undefined) return;
  const verb = ours.length === 1 ? 'is' : 'are';
  const where = `${countOf(ours.length, 'comment')} ${verb} in a review that was posted at the same time.`;
  await pulls.updateReview({ ...pullOf(plan), review_id, body: `${before.body} ${where}` });
}
