import type { Octokit } from '@octokit/rest';
import type { Config } from './config/schema.ts';
import { type OpenRun, openKey, stopKey } from './contract/open-run.ts';
import type { RunPlan } from './contract/plan.ts';
import type { StateStore } from './contract/session.ts';
import { systemClock } from './github/clock.ts';
import type { ContentBudget } from './github/content-budget.ts';
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

/** Posts the progress comment of a run, and keeps before that it stands open. Null for a plan without a thread. */
export async function showRun(
  plan: RunPlan,
  config: Config,
  { store, ...ports }: ShowPorts,
): Promise<ProgressComment | null> {
  if (plan.thread === null) return null;
  await keepOpen(store, { version: 1, plan, run_url: ports.runUrl, body: null });
  const notify = config.report?.notify ?? 'edit';
  return startProgressComment({ ...ports, plan, notify, clock: systemClock });
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
