import type { RunPlan } from '../../contract/plan.ts';
import type { KnownFinding } from '../../contract/review-record.ts';
import { keepReviewRecord, readReviewRecord } from '../findings/known-findings.ts';
import { readOwnPosts } from '../findings/own-posts.ts';
import { readRemarkThreads } from '../findings/remark-threads.ts';
import { settleFixed } from '../findings/settle-fixed.ts';
import type { Attempt } from '../posting/attempt.ts';
import type { PublishPorts } from '../posting/ports.ts';

/** Tells in the threads of applied suggestions which commit has them, resolves these, and knows their findings as fixed. */
export async function settleApplied(
  ids: ReadonlySet<string>,
  sha: string,
  plan: RunPlan,
  ports: Pick<PublishPorts, 'octokit' | 'ownLogin' | 'store' | 'log'>,
  attempt: Attempt,
): Promise<void> {
  if (ids.size === 0) return;
  const { octokit, ownLogin, store } = ports;
  const fixed: KnownFinding['fixed'] = { sha, run_id: plan.run_id };
  const [posts, threads] = await Promise.all([
    readOwnPosts(plan, octokit, ownLogin),
    readRemarkThreads(plan, octokit),
  ]);
  for (const remark of posts.remarks.filter(({ fp }) => ids.has(fp))) {
    const thread = threads?.get(remark.id) ?? null;
    await attempt('The end of a thread', async () => settleFixed({ fixed }, remark, thread, plan, ports));
  }
  const record = await readReviewRecord(plan, store);
  if (record === null) return;
  const findings = record.findings.map((known) =>
    ids.has(known.id) && known.state === 'open' ? { ...known, state: 'fixed' as const, fixed } : known,
  );
  await keepReviewRecord(plan, store, { ...record, findings });
}
