import type { Octokit } from '@octokit/rest';
import { triggerDefaults } from '../../config/defaults.ts';
import type { Config } from '../../config/schema.ts';
import type { Finding, ToldFinding } from '../../contract/findings.ts';
import type { LinkTarget } from '../../contract/plan.ts';
import type { PullSummary } from '../../contract/pull-summary.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { readReviewRecord } from '../findings/previous-findings.ts';
import { foldFindings } from '../review/fold-findings.ts';
import { renderPullSummary, type SummarySettings } from './render-pull-summary.ts';
import { saveSummaryBoxes } from './summary-boxes.ts';
import { refreshSummary, saveSummary, storedSummary } from './summary-comment.ts';

/** The sources of a summary that is written again. */
interface RewritePorts {
  readonly octokit: Octokit;
  readonly store: StateStore;
  readonly config: Config;
  /** Open findings by id, whole. */
  readonly found: ReadonlyMap<string, Finding>;
  /** True if the pull request was merged: then nothing can be applied, stopped or run again. */
  readonly merged: boolean;
}

/**
 * Writes the summary of a pull request again after an event changed the state of findings, or
 * merged it. Does nothing without a stored summary. Safe to repeat.
 */
export async function rewriteSummary(
  target: Omit<LinkTarget, 'run_id'>,
  { octokit, store, config, found, merged }: RewritePorts,
): Promise<void> {
  const pull = target.thread?.number ?? 0;
  const before = await storedSummary(pull, store);
  if (before === null || before.text === '') return;
  const summary = { ...before, merged: before.merged || merged };
  const plan = await atStoredLines({ ...target, run_id: summary.run_id }, summary, store);
  const told = await storedFindings(summary, plan, store, found);
  const text = renderPullSummary(told, summary, plan, summarySettings(config, store));
  if (merged) await saveSummaryBoxes(pull, { version: 1, boxes: [], offers: false, result: '' }, store);
  await saveSummary({ ...summary, text }, plan, store);
  await refreshSummary(pull, plan.repository, { octokit, store });
}

/**
 * Returns the target of links to stored findings: the commit that their lines count in. A run, or
 * an event, may be about a newer one.
 */
export async function atStoredLines<Target extends Pick<LinkTarget, 'thread' | 'checkout'>>(
  target: Target,
  summary: PullSummary | null,
  store: StateStore | null,
): Promise<Target> {
  const record = await readReviewRecord(target, store);
  const sha = record?.located ?? summary?.head ?? target.checkout.sha;
  return { ...target, checkout: { ...target.checkout, sha } };
}

/**
 * Returns the findings of a pull request as the record has them. `found` has some of them whole.
 */
export async function storedFindings(
  summary: PullSummary | null,
  plan: Pick<LinkTarget, 'thread'>,
  store: StateStore | null,
  found: ReadonlyMap<string, Finding> = new Map(),
): Promise<readonly ToldFinding[]> {
  const record = await readReviewRecord(plan, store);
  const threads = new Map(Object.entries(summary?.threads ?? {}));
  return foldFindings(record?.findings ?? [], { runId: summary?.run_id ?? '', found, threads });
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
