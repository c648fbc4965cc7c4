import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { pullOf } from '../../github/api-target.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { postOnce, withoutRetries } from '../posting/post-once.ts';
import { readMarker, writeMarker } from '../text/marker.ts';
import { hostsOf, publicCut } from '../text/public-text.ts';
import { readOwnPosts } from './own-posts.ts';

const longestAnswer = 20_000;

/**
 * Posts the answer of a run in the thread of the finding that it was requested in, once. Returns
 * null for any other run, for a run without an answer, and if the thread is gone.
 */
export async function answerFinding(
  { answer, conclusion }: Pick<Outcome, 'answer' | 'conclusion'>,
  plan: RunPlan,
  { octokit, ownLogin }: Pick<PublishPorts, 'octokit' | 'ownLogin'>,
): Promise<{ readonly url: string } | null> {
  const id = plan.finding?.id;
  if (id === undefined || answer.trim() === '' || conclusion === 'waiting') return null;
  const { comments } = await readOwnPosts(plan, octokit, ownLogin);
  const root = comments.find(({ fp }) => fp === id);
  if (root === undefined) return null;
  const target = pullOf(plan);
  const text = publicCut(answer.trim(), longestAnswer, '\n\n[cut]', hostsOf(plan));
  return postOnce(
    async () => {
      const all = await octokit.paginate(octokit.rest.pulls.listReviewComments, { ...target, per_page: 100 });
      const own = all.find(
        ({ user, body, in_reply_to_id: to }) =>
          to === root.id && user?.login === ownLogin && readMarker(body, 'answer')?.run === plan.run_id,
      );
      return own === undefined ? null : { url: own.html_url };
    },
    async () => {
      const { data } = await octokit.rest.pulls.createReplyForReviewComment({
        ...target,
        comment_id: root.id,
        body: `${writeMarker('answer', { run: plan.run_id })}\n${text}`,
        request: withoutRetries,
      });
      return { url: data.html_url };
    },
  );
}
