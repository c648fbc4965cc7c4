import type { RunPlan } from '../../contract/plan.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { type Attempt, createAttempt } from '../posting/api-failure.ts';
import type { PublishPorts } from '../posting/ports.ts';
import type { OwnPosts } from './own-posts.ts';
import { readReviewRecord, saveReviewRecord } from './previous-findings.ts';
import { type ReviewThread, resolveFixed } from './review-threads.ts';

/** Findings that one commit fixed, and our posts about them. */
interface FixedFindings {
  readonly ids: ReadonlySet<string>;
  readonly sha: string;
  readonly posts: OwnPosts;
  /** Null if the token may not read threads. */
  readonly threads: ReadonlyMap<number, ReviewThread> | null;
  /** Null if stored state could be forged. */
  readonly store: StateStore | null;
  /** True if another comment names the commit: threads are resolved without a reply. */
  readonly silent?: boolean;
  /** The first comment of a thread in which an answer names the commit. Default: none. */
  readonly answered?: number | null;
}

/**
 * Names the commit in the threads of findings, resolves them, and marks the findings as fixed.
 * Refusals by GitHub go to `attempt`. Safe to repeat.
 */
export async function closeFixed(
  { ids, sha, posts, threads, store, silent = false, answered = null }: FixedFindings,
  plan: RunPlan,
  ports: Pick<PublishPorts, 'octokit' | 'ownLogin' | 'log' | 'triedAgain'>,
  attempt: Attempt = createAttempt(plan, ports, []),
): Promise<void> {
  if (ids.size === 0) return;
  const fixed = { sha, run_id: plan.run_id };
  for (const comment of posts.comments.filter(({ fp }) => ids.has(fp))) {
    const thread = threads?.get(comment.id) ?? null;
    await attempt('The end of a thread', async () =>
      resolveFixed({ fixed, comment, thread, silent, answered: comment.id === answered }, plan, ports),
    );
  }
  const record = await readReviewRecord(plan, store);
  if (record === null) return;
  const findings = record.findings.map((finding) =>
    ids.has(finding.id) && finding.state === 'open'
      ? { ...finding, state: 'fixed' as const, fixed }
      : finding,
  );
  await saveReviewRecord(plan, store, { ...record, findings });
}
