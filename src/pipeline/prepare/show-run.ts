import { isFullDisk } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import { OpenRun } from '../../contract/open-run.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { isReview } from '../../contract/work-of.ts';
import { isOutage } from '../../github/api-errors.ts';
import { systemClock } from '../../github/clock.ts';
import { missingPermission, permissionRemedy } from '../../github/missing-permission.ts';
import { findSummary } from '../../reporting/findings/own-posts.ts';
import { readApiFailure } from '../../reporting/posting/api-failure.ts';
import type { ProgressComment } from '../../reporting/posting/ports.ts';
import { startProgressComment } from '../../reporting/progress/progress-comment.ts';
import { readSummary } from '../../reporting/summary/summary-comment.ts';
import type { BrokerContext } from '../context/broker-context.ts';
import type { RunDisplay } from '../context/prepared-run.ts';
import { retryDuringOutage } from '../context/retry-during-outage.ts';

/** Status codes of a thread that is locked, deleted or in an archived repository. */
const closedToUs = new Set([403, 404, 410, 422]);

/** Returns true for GitHub's refusal of a comment on a thread. */
export function isClosedToUs(error: unknown): boolean {
  const failure = readApiFailure(error);
  return failure !== null && !isOutage(error) && closedToUs.has(failure.status);
}

/** Reads the record of a run with an open display; null without one. */
export async function readOpenRun(plan: RunPlan, store: StateStore): Promise<OpenRun | null> {
  const text = await store.get(stateKeys.open(plan.run_id));
  return text === null ? null : (OpenRun.safeParse(parseJson(text)).data ?? null);
}

/**
 * Records a run as open, before anything of it is posted. Displays that an earlier attempt left
 * open stay so. On a full disk the run continues without the record, and reports the disk.
 */
export async function storeOpenRun(
  plan: RunPlan,
  change: Partial<Pick<OpenRun, 'shown' | 'body' | 'check'>>,
  { store, link }: Pick<BrokerContext, 'store' | 'link'>,
): Promise<void> {
  const before = (await readOpenRun(plan, store)) ?? { shown: false, check: null };
  const { shown, check } = { ...before, ...change };
  const run: OpenRun = { version: 1, plan, run_url: link, body: change.body ?? null, shown, check };
  await store.set(stateKeys.open(plan.run_id), JSON.stringify(run)).catch((error: unknown) => {
    if (!isFullDisk(error)) throw error;
  });
}

/**
 * True if a run needs no comment of its own: no one requested it, and the pull request has a
 * summary for its result.
 */
export async function showsOnlySummary(
  plan: RunPlan,
  { config, store, canAsk, github, ownLogin }: BrokerContext,
): Promise<boolean> {
  const isUnrequested = isReview(plan) && plan.trigger_comment === null;
  if (!isUnrequested || plan.thread?.kind !== 'pull_request' || config.report?.notify === 'comment')
    return false;
  const octokit = github.writer;
  if ((await readSummary(plan, { octokit, ownLogin, trusted: canAsk ? store : null })) !== null) return true;
  // An attempt that died right after its comment became the summary did not store it.
  const wasShown = (await readOpenRun(plan, store))?.shown === true;
  return wasShown && (await findSummary(plan, octokit, ownLogin)) !== null;
}

/**
 * Posts the progress comment, and tries again while GitHub is down. With `needed`, a run leaves
 * nothing without it: a workflow's job whose token lacks the permission then fails with that error.
 */
export function showRun(
  plan: RunPlan,
  context: BrokerContext,
  needed = false,
): Promise<ProgressComment | null> {
  const { outageWaitsMs = [], signal } = context;
  return retryDuringOutage(outageWaitsMs, signal, () => showOnce(plan, context, needed));
}

/**
 * Posts the progress comment of a run, and records the run as open first. Null for a plan without a
 * thread, and for a thread that takes no comment, which is logged.
 */
async function showOnce(
  plan: RunPlan,
  context: BrokerContext,
  needed: boolean,
): Promise<ProgressComment | null> {
  if (plan.thread === null) return null;
  const { config, github, ownLogin, link, log, budget } = context;
  await storeOpenRun(plan, { shown: true }, context);
  const notify = config.report?.notify ?? 'edit';
  try {
    return await startProgressComment({
      ...{ octokit: github.writer, plan, ownLogin, runUrl: link, log, budget, notify, clock: systemClock },
    });
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null || isOutage(error) || !closedToUs.has(failure.status)) throw error;
    const { status, message } = failure;
    const permission = missingPermission(error);
    if (needed && permission !== null && context.host === 'action') {
      await storeOpenRun(plan, { shown: false }, context);
      throw error;
    }
    const why = permission === null ? '' : ` ${permissionRemedy(permission, plan.source.kind)}`;
    log.warn({ run: plan.run_id, status, message }, `The thread takes no comment.${why}`);
    // An earlier attempt may have opened a check, which is still to be ended.
    await storeOpenRun(plan, { shown: false }, context);
    return null;
  }
}

/**
 * Deletes the record of a run whose comment and check are closed. If GitHub did not take that, the
 * record stays with their final text, for a later try.
 */
export async function closeDisplay(
  plan: RunPlan,
  { progress, check }: RunDisplay,
  body: string,
  context: Pick<BrokerContext, 'store' | 'link'>,
): Promise<void> {
  const { store } = context;
  await store.delete(stateKeys.stop(plan.run_id));
  const left = check?.pendingEnd() ?? null;
  if ((progress === null || progress.isClosed()) && left === null)
    await store.delete(stateKeys.open(plan.run_id));
  else await storeOpenRun(plan, { body, check: left }, context);
}
