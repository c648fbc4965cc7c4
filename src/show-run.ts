import type { Octokit } from '@octokit/rest';
import type { Config } from './config/schema.ts';
import { type OpenRun, openKey, stopKey } from './contract/open-run.ts';
import type { RunPlan } from './contract/plan.ts';
import type { StateStore } from './contract/session.ts';
import { systemClock } from './github/clock.ts';
import type { ContentBudget } from './github/content-budget.ts';
import { isOutage } from './github/is-outage.ts';
import { readApiFailure } from './reporting/posting/api-failure.ts';
import type { Log } from './reporting/posting/log.ts';
import type { ProgressComment } from './reporting/posting/ports.ts';
import { startProgressComment } from './reporting/progress/progress-comment.ts';

/** What showing a run needs from the root. */
export interface ShowPorts {
  readonly octokit: Octokit;
  readonly store: StateStore;
  readonly ownLogin: string;
  readonly log: Log;
  readonly runUrl: string | null;
  readonly budget?: ContentBudget;
}

/** What a thread answers that is locked, gone, or in a repository that was archived. */
const closedToUs = new Set([403, 404, 410, 422]);

/**
 * Posts the progress comment of a run, and keeps before that it stands open. Null for a plan without a thread, and for a
 * thread that takes no comment, which is logged.
 */
export async function showRun(
  plan: RunPlan,
  config: Config,
  { store, ...ports }: ShowPorts,
): Promise<ProgressComment | null> {
  if (plan.thread === null) return null;
  await keepOpen(store, { version: 1, plan, run_url: ports.runUrl, body: null });
  const notify = config.report?.notify ?? 'edit';
  try {
    return await startProgressComment({ ...ports, plan, notify, clock: systemClock });
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null || isOutage(error) || !closedToUs.has(failure.status)) throw error;
    const { status, message } = failure;
    ports.log.warn({ run: plan.run_id, status, message }, 'The thread takes no comment.');
    await store.delete(openKey(plan.run_id));
    return null;
  }
}

/**
 * Forgets a run whose comment says how it ended. Where GitHub did not take that, it is kept with what the comment has
 * to say, for later.
 */
export async function settleRun(
  plan: RunPlan,
  progress: ProgressComment | null,
  body: string,
  { store, runUrl }: Pick<ShowPorts, 'store' | 'runUrl'>,
): Promise<void> {
  await store.delete(stopKey(plan.run_id));
  if (progress === null || progress.isSettled()) await store.delete(openKey(plan.run_id));
  else await keepOpen(store, { version: 1, plan, run_url: runUrl, body });
}

const keepOpen = (store: StateStore, run: OpenRun): Promise<void> =>
  store.set(openKey(run.plan.run_id), JSON.stringify(run));
