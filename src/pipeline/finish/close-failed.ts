import type { RunPlan } from '../../contract/plan.ts';
import { isReview } from '../../contract/work-of.ts';
import { repoOf } from '../../github/api-target.ts';
import { readApiRefusal } from '../../reporting/posting/api-failure.ts';
import type { ProgressComment } from '../../reporting/posting/ports.ts';
import { beginsWithMarker } from '../../reporting/text/marker.ts';
import type { BrokerContext } from '../context/broker-context.ts';

interface ClosedBy {
  readonly plan: RunPlan;
  readonly context: BrokerContext;
  readonly triedAgain: boolean;
}

/**
 * Ends the comment of a failed run with its text. A review that nobody requested leaves none if an
 * earlier comment of ours says the same: each push would repeat it. With `triedAgain`, an outage of
 * GitHub is thrown.
 */
export async function closeFailed(
  progress: ProgressComment,
  text: string,
  { plan, context, triedAgain }: ClosedBy,
): Promise<void> {
  if (!isReview(plan) || plan.trigger_comment !== null) return progress.fail(text, triedAgain);
  const repeated = await wasSaid(text, plan, progress.id, context).catch((error: unknown) => {
    readApiRefusal(error, triedAgain);
    return false;
  });
  if (!repeated) return progress.fail(text, triedAgain);
  await progress.remove().catch((error: unknown) => {
    const { status } = readApiRefusal(error, triedAgain);
    context.log.warn({ comment: progress.id, status }, 'A repeated comment could not be removed.');
  });
}

/** True if another comment of ours on the thread has this text alone. */
async function wasSaid(
  text: string,
  plan: RunPlan,
  own: number,
  { github, ownLogin }: Pick<BrokerContext, 'github' | 'ownLogin'>,
): Promise<boolean> {
  if (plan.thread === null) return false;
  const at = { ...repoOf(plan), issue_number: plan.thread.number, per_page: 100 };
  const { writer } = github;
  for await (const { data } of writer.paginate.iterator(writer.rest.issues.listComments, at))
    if (
      data.some(
        ({ id, user, body }) =>
          id !== own &&
          user?.login === ownLogin &&
          beginsWithMarker(body, 'progress') &&
          body?.slice(body.indexOf('\n') + 1) === text,
      )
    )
      return true;
  return false;
}
