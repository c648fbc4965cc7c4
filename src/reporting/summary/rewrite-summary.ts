import type { Octokit } from '@octokit/rest';
import { triggerDefaults } from '../../config/defaults.ts';
import type { Config } from '../../config/schema.ts';
import type { ToldFinding } from '../../contract/findings.ts';
import type { LinkTarget } from '../../contract/plan.ts';
import type { PullSummary } from '../../contract/pull-summary.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { readReviewRecord } from '../findings/previous-findings.ts';
import { foldFindings } from '../review/fold-findings.ts';
import { renderPullSummary, type SummarySettings } from './render-pull-summary.ts';
import { refreshSummary, saveSummary, storedSummary } from './summary-comment.ts';

/**
 * Writes the summary of a pull request again after an event changed the state of findings. Does
 * nothing without a stored summary, and if its text stays the same.
 */
export async function rewriteSummary(
  target: Omit<LinkTarget, 'run_id'>,
  {
    octokit,
    store,
    config,
  }: { readonly octokit: Octokit; readonly store: StateStore; readonly config: Config },
): Promise<void> {
  const pull = target.thread?.number ?? 0;
  const summary = await storedSummary(pull, store);
  if (summary === null || summary.text === '') return;
  const plan = {
    ...{ ...target, run_id: summary.run_id },
    checkout: { ...target.checkout, sha: summary.head ?? target.checkout.sha },
  };
  const told = await storedFindings(summary, plan, store);
  const text = renderPullSummary(told, summary, plan, summarySettings(config, store));
  if (text === summary.text) return;
  await saveSummary({ ...summary, text }, plan, store);
  await refreshSummary(pull, plan.repository, { octokit, store });
}

/** Returns the findings of a pull request as the record has them. */
export async function storedFindings(
  summary: PullSummary | null,
  plan: Pick<LinkTarget, 'thread'>,
  store: StateStore | null,
): Promise<readonly ToldFinding[]> {
  const record = await readReviewRecord(plan, store);
  const threads = new Map(Object.entries(summary?.threads ?? {}));
  return foldFindings(record?.findings ?? [], { runId: summary?.run_id ?? '', found: new Map(), threads });
}

/**
 * Returns the settings of a summary. Without trusted state, no finding can be dismissed by its id.
 */
export function summarySettings(config: Config, trusted: StateStore | null): SummarySettings {
  return {
    threadsFrom: config.review?.threadsFrom ?? 'medium',
    mention: trusted === null ? null : triggerDefaults(config).mention,
  };
}
