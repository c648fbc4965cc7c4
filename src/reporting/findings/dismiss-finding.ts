import type { Octokit } from '@octokit/rest';
import type { RunPlan } from '../../contract/plan.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { readReviewRecord, saveReviewRecord } from './previous-findings.ts';
import { resolveThreadAt } from './review-threads.ts';

/** A dismissal in the thread of a finding of ours, in the words of the user who dismissed it. */
interface Dismissal {
  readonly plan: Pick<RunPlan, 'repository' | 'thread'>;
  readonly id: string;
  /** The first comment of its thread. */
  readonly root: number;
  readonly by: string;
  readonly reason: string;
}

/**
 * Stores that a finding is dismissed, by whom and why, and resolves its thread. Without a store the
 * answer in the thread counts. Safe to repeat.
 */
export async function dismissFinding(
  { plan, id, root, by, reason }: Dismissal,
  { octokit, store }: { readonly octokit: Octokit; readonly store: StateStore | null },
): Promise<void> {
  const record = await readReviewRecord(plan, store);
  if (record !== null) {
    const dismissed = { state: 'dismissed' as const, dismissed_by: by, dismissed_reason: reason };
    const findings = record.findings.map((one) =>
      one.id === id && one.state === 'open' ? { ...one, ...dismissed } : one,
    );
    await saveReviewRecord(plan, store, { ...record, findings });
  }
  await resolveThreadAt(root, plan, octokit);
}
