import type { RunPlan } from '../../contract/plan.ts';
import type { KnownFinding } from '../../contract/review-record.ts';
import { readApiFailure } from '../posting/api-failure.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { postOnce, withoutRetries } from '../posting/post-once.ts';
import { codeSpan } from '../text/markdown.ts';
import { beginsWithMarker, readMarker, writeMarker } from '../text/marker.ts';
import type { OwnRemark } from './own-posts.ts';
import type { RemarkThread } from './remark-threads.ts';

type Ports = Pick<PublishPorts, 'octokit' | 'ownLogin' | 'log'>;

/**
 * Tells in the thread of a fixed finding which commit fixed it, and resolves the thread. Where the token may not
 * resolve, the answer has to do. Made once: an answer that stands already is not given again.
 */
export async function settleFixed(
  finding: Pick<KnownFinding, 'fixed'>,
  remark: OwnRemark,
  thread: RemarkThread | null,
  plan: RunPlan,
  ports: Ports,
): Promise<void> {
  const { octokit, ownLogin, log } = ports;
  const place = { owner: plan.repository.owner, repo: plan.repository.name };
  const pull_number = plan.thread?.number ?? 0;
  const sha = finding.fixed?.sha ?? plan.checkout.sha;
  const saysSo = ({ login, body }: { login: string; body: string }) =>
    login === ownLogin && beginsWithMarker(body, 'fixed') && readMarker(body, 'fixed')?.sha === sha;
  await postOnce<true>(
    async () => (remark.replies.some(saysSo) ? true : null),
    async () => {
      await octokit.rest.pulls.createReplyForReviewComment({
        ...place,
        pull_number,
        comment_id: remark.id,
        body: renderFixed(sha, plan),
        request: withoutRetries,
      });
      return true;
    },
  );
  if (thread === null || thread.resolved) return;
  try {
    await octokit.graphql(
      'mutation ($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { id } } }',
      { id: thread.id },
    );
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null) throw error;
    log.warn({ run: plan.run_id, thread: thread.id, message: failure.message }, 'A thread stays unresolved.');
  }
}

/** The answer in a thread that names the commit by which it is settled. */
export function renderFixed(sha: string, { repository }: RunPlan): string {
  const link = `${repository.clone_url.replace(/\.git$/u, '')}/commit/${sha}`;
  return `${writeMarker('fixed', { sha })}\nFixed by [${codeSpan(sha.slice(0, 7))}](${link}).`;
}
