import type { Octokit } from '@octokit/rest';
import type { RunPlan } from '../../contract/plan.ts';
import { isNotFound } from '../../github/api-errors.ts';
import { pullOf } from '../../github/api-target.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { postOnce, withoutRetries } from '../posting/post-once.ts';
import { beginsWithMarker, readMarker, writeMarker } from '../text/marker.ts';

/** The kinds of posts in a review thread. */
type ThreadPost = 'answer' | 'question';

/** One of our posts in a review thread. */
interface PostedReply {
  readonly id: number;
  readonly url: string;
}

/**
 * Posts a text in the review thread that a run was requested in, once for its kind. Null if there
 * is no such thread, or it is gone.
 */
export async function postInThread(
  kind: ThreadPost,
  text: string,
  plan: RunPlan,
  { octokit, ownLogin }: Pick<PublishPorts, 'octokit' | 'ownLogin'>,
): Promise<PostedReply | null> {
  const root = plan.review_thread;
  if (root === undefined) return null;
  try {
    return await postOnce(
      () => findInThread(kind, plan, { octokit, ownLogin }),
      async () => {
        const { data } = await octokit.rest.pulls.createReplyForReviewComment({
          ...pullOf(plan),
          comment_id: root,
          body: `${writeMarker(kind, { run: plan.run_id })}\n${text}`,
          request: withoutRetries,
        });
        return { id: data.id, url: data.html_url };
      },
    );
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Finds what a run posted in its review thread; null for nothing of that kind. */
export async function findInThread(
  kind: ThreadPost,
  plan: RunPlan,
  { octokit, ownLogin }: { readonly octokit: Octokit; readonly ownLogin: string },
): Promise<PostedReply | null> {
  const root = plan.review_thread;
  if (root === undefined) return null;
  const { listReviewComments } = octokit.rest.pulls;
  const all = await octokit.paginate(listReviewComments, { ...pullOf(plan), per_page: 100 });
  const own = all.find(
    ({ user, body, in_reply_to_id: to }) =>
      to === root &&
      user?.login === ownLogin &&
      beginsWithMarker(body, kind) &&
      readMarker(body, kind)?.run === plan.run_id,
  );
  return own === undefined ? null : { id: own.id, url: own.html_url };
}
