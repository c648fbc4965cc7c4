import type { Octokit } from '@octokit/rest';
import type { RunPlan } from '../../contract/plan.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { readOwnPosts } from './own-posts.ts';
import { readReviewRecord, saveReviewRecord } from './previous-findings.ts';
import { readDismissals } from './read-dismissals.ts';
import { readReviewThreads, resolveOpenThreads } from './review-threads.ts';

/**
 * Stores which open findings people dismissed on GitHub since the last look, and resolves their
 * threads. GitHub sends no event of a 👎 (GitHub Docs, "Webhook events and payloads"). Asks GitHub
 * nothing if no open finding has a thread.
 */
export async function settleDismissed(
  plan: Pick<RunPlan, 'repository' | 'thread'>,
  {
    octokit,
    ownLogin,
    store,
  }: { readonly octokit: Octokit; readonly ownLogin: string; readonly store: StateStore | null },
): Promise<void> {
  const record = await readReviewRecord(plan, store);
  const open = new Set(
    record?.findings.flatMap(({ id, state, folded }) => (state === 'open' && folded !== true ? [id] : [])),
  );
  if (record === null || open.size === 0) return;
  const [posts, threads] = await Promise.all([
    readOwnPosts(plan, octokit, ownLogin),
    readReviewThreads(plan, octokit),
  ]);
  const comments = posts.comments.filter(({ fp }) => open.has(fp));
  const dismissed = await readDismissals(comments, threads, plan, { octokit, ownLogin });
  if (dismissed.size === 0) return;
  // First: what is stored as dismissed is not looked at again.
  const settled = comments.filter(({ fp }) => dismissed.has(fp));
  await resolveOpenThreads(settled, threads, octokit);
  const findings = record.findings.map((one) => {
    const by = one.state === 'open' ? dismissed.get(one.id) : undefined;
    return by === undefined ? one : { ...one, state: 'dismissed' as const, dismissed_by: by };
  });
  await saveReviewRecord(plan, store, { ...record, findings });
}
