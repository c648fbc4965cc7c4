import type { Octokit } from '@octokit/rest';
import type { Config } from './config/schema.ts';
import type { ControlName } from './contract/controls.ts';
import type { RunPlan } from './contract/plan.ts';
import type { StateStore } from './contract/session.ts';
import type { BrokenPlan, ExecutedPlan, QuietPlan } from './executed-plan.ts';
import type { Clock } from './github/clock.ts';
import type { Log } from './reporting/posting/log.ts';
import { startControls } from './reporting/progress/controls-comment.ts';
import { requestedRun } from './webhooks/kept/kept-request.ts';

type Executed = ExecutedPlan | QuietPlan | BrokenPlan;

/** What the controls of a run need from the root. */
export interface WithControlsPorts {
  /** A client with a fresh token, each time: a run may outlive the first. */
  readonly octokit: () => Promise<Octokit>;
  readonly store: StateStore;
  readonly ownLogin: string;
  readonly log: Log;
  readonly clock: Clock;
}

/** Carries a run out with controls on its thread, and leaves those that serve after its end. */
export async function withControls<Result extends Executed>(
  plan: RunPlan,
  config: Config,
  { octokit, ...ports }: WithControlsPorts,
  execute: () => Promise<Result>,
): Promise<Result> {
  const controls = startControls(plan, config.report?.controls, { ...ports, octokit: await octokit() });
  try {
    const executed = await execute();
    const then = (await mayBeRetried(plan, executed, ports.store)) ? (['retry'] as const) : [];
    await controls.end(then satisfies readonly ControlName[], await octokit());
    return executed;
  } finally {
    // Another attempt follows a run that threw, with controls of its own.
    controls.leave();
  }
}

/** Whether doing the same again makes sense: it did not come to its end, and is what was asked for last. */
async function mayBeRetried(plan: RunPlan, executed: Executed, store: StateStore): Promise<boolean> {
  if (executed.kind === 'quiet' || plan.thread === null) return false;
  if (executed.kind === 'run') {
    const { conclusion, stop } = executed.outcome;
    if (!['failure', 'limit', 'cancelled'].includes(conclusion) || stop?.kind === 'superseded') return false;
  }
  return (await requestedRun(store, { repository: plan.repository, thread: plan.thread })) === plan.run_id;
}
