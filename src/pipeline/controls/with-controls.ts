import type { Octokit } from '@octokit/rest';
import type { Config } from '../../config/schema.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { ControlName } from '../../contract/thread-records.ts';
import type { Clock } from '../../github/clock.ts';
import { isProtected } from '../../permissions/gate/protected-paths.ts';
import type { Log } from '../../reporting/posting/log.ts';
import { startControls } from '../../reporting/progress/controls-comment.ts';
import { readSuggestions } from '../../reporting/suggestions/kept-suggestions.ts';
import { requestedRun } from '../../webhooks/records/kept-request.ts';
import type { BrokenPlan, ExecutedPlan, QuietPlan } from '../context/executed-plan.ts';

type Executed = ExecutedPlan | QuietPlan | BrokenPlan;

/** What the controls of a run need from the root. */
export interface WithControlsPorts {
  /** A client with a fresh token, each time: a run may outlive the first. */
  readonly octokit: () => Promise<Octokit>;
  readonly store: StateStore;
  readonly ownLogin: string;
  readonly log: Log;
  readonly clock: Clock;
  /** Whether the run can be stopped from outside: else it gets controls at its end only. */
  readonly stoppable: boolean;
}

/** Carries a run out with controls on its thread, and leaves those that serve after its end. */
export async function withControls<Result extends Executed>(
  plan: RunPlan,
  config: Config,
  { octokit, stoppable, ...ports }: WithControlsPorts,
  execute: () => Promise<Result>,
): Promise<Result> {
  const wanted = config.report?.controls;
  const client = await octokit();
  const controls = startControls(plan, wanted, { ...ports, octokit: client, stoppable });
  try {
    const executed = await execute();
    const then: ControlName[] = [];
    if (await mayBeRetried(plan, executed, ports.store)) then.push('retry');
    if (await offersSuggestions(plan, config, executed, ports.store)) then.push('apply');
    await controls.end(then, await octokit());
    return executed;
  } finally {
    // Another attempt follows a run that threw, with controls of its own.
    await controls.leave();
  }
}

/**
 * Whether there are suggestions that a person can have committed with one tick. A single one has GitHub's own button, so its box
 * stands only where controls are wanted.
 */
async function offersSuggestions(
  plan: RunPlan,
  { report, commit, protected: allowed }: Config,
  executed: Executed,
  store: StateStore,
): Promise<boolean> {
  const commits = commit?.outlet === undefined || commit.outlet === 'commit';
  if (executed.kind !== 'run' || !commits) return false;
  const known = (await readSuggestions(store, plan.run_id))?.suggestions ?? [];
  const offered = known.filter(({ path }) => isProtected(path, allowed?.allow ?? []) === null);
  return offered.length >= (report?.controls === true ? 1 : 2);
}

/** Whether doing the same again makes sense: it did not come to its end, and is what was asked for last. */
async function mayBeRetried(plan: RunPlan, executed: Executed, store: StateStore): Promise<boolean> {
  if (executed.kind === 'quiet' || plan.thread === null) return false;
  if (executed.kind === 'run') {
    const { conclusion, stop } = executed.outcome;
    if (!['failure', 'limit', 'cancelled'].includes(conclusion) || stop?.kind === 'superseded') return false;
  }
  return (await requestedRun(store, { thread: plan.thread })) === plan.run_id;
}
