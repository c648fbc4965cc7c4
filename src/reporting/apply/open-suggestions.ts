import type { RunPlan } from '../../contract/plan.ts';
import type { PostedSuggestion } from '../../contract/review-record.ts';
import { readReviewRecord } from '../findings/known-findings.ts';
import { readOwnPosts } from '../findings/own-posts.ts';
import { readDismissals } from '../findings/read-dismissals.ts';
import { readRemarkThreads } from '../findings/remark-threads.ts';
import type { PublishPorts } from '../posting/ports.ts';

/**
 * Those suggestions whose comment stands, whose thread nobody resolved, and whose finding is neither fixed nor let go. Comments
 * only say by their id that they are there still: what is suggested is our own record's to say.
 */
export async function openSuggestions(
  suggestions: readonly PostedSuggestion[],
  plan: RunPlan,
  { octokit, ownLogin, store }: Pick<PublishPorts, 'octokit' | 'ownLogin' | 'store'>,
): Promise<readonly PostedSuggestion[]> {
  const [posts, threads, record] = await Promise.all([
    readOwnPosts(plan, octokit, ownLogin),
    readRemarkThreads(plan, octokit),
    readReviewRecord(plan, store),
  ]);
  const ids = new Set(suggestions.map(({ id }) => id));
  const settled = new Set(
    (record?.findings ?? []).filter(({ state }) => state !== 'open').map(({ id }) => id),
  );
  const standing = posts.remarks.filter(
    ({ fp, id }) => ids.has(fp) && !settled.has(fp) && threads?.get(id)?.resolved !== true,
  );
  const dismissed = await readDismissals(standing, threads, plan, octokit, ownLogin);
  const open = new Set(standing.map(({ fp }) => fp).filter((fp) => !dismissed.has(fp)));
  return suggestions.filter(({ id }) => open.has(id));
}
