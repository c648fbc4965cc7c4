import type { Config } from '../../config/schema.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { ControlName } from '../../contract/thread-records.ts';
import { systemClock } from '../../github/clock.ts';
import { isProtected } from '../../permissions/gate/protected-paths.ts';
import { startControls } from '../../reporting/progress/controls-comment.ts';
import { readSuggestions } from '../../reporting/suggestions/stored-suggestions.ts';
import { lastRequestedRun } from '../../webhooks/records/last-request.ts';
import type { BrokerContext } from '../context/broker-context.ts';
import type { RunResult } from '../context/run-result.ts';

/**
 * Carries out a run with controls on its thread, and leaves those that work after its end. A run
 * that cannot be stopped from outside gets controls only at its end.
 */
export async function withControls(
  plan: RunPlan,
  context: BrokerContext,
  execute: () => Promise<RunResult>,
): Promise<RunResult> {
  const { config, store, ownLogin, log, github, runs } = context;
  const octokit = github.writer;
  const ports = { store, ownLogin, log, clock: systemClock, octokit, stoppable: runs !== undefined };
  const controls = startControls(plan, config.report?.controls, ports);
  try {
    const executed = await execute();
    const then: ControlName[] = [];
    if (await mayBeRetried(plan, executed, store)) then.push('retry');
    if (await offersSuggestions(plan, config, executed, store)) then.push('apply');
    await controls.end(then, octokit);
    return executed;
  } finally {
    // Another attempt follows a run that threw, with controls of its own.
    await controls.leave();
  }
}

/**
 * Returns true if one tick can commit the suggestions. A single suggestion has GitHub's own button,
 * so its box needs `report.controls`.
 */
async function offersSuggestions(
  plan: RunPlan,
  { report, commit, protected: allowed }: Config,
  executed: RunResult,
  store: StateStore,
): Promise<boolean> {
  const commits = commit?.outlet === undefined || commit.outlet === 'commit';
  if (executed.kind !== 'run' || !commits) return false;
  const suggestions = (await readSuggestions(store, plan.run_id))?.suggestions ?? [];
  const offered = suggestions.filter(({ path }) => isProtected(path, allowed?.allow ?? []) === null);
  return offered.length >= (report?.controls === true ? 1 : 2);
}

/** Returns true if a retry makes sense: the run did not complete, and is the newest request. */
async function mayBeRetried(plan: RunPlan, executed: RunResult, store: StateStore): Promise<boolean> {
  if (executed.kind === 'skipped' || plan.thread === null) return false;
  if (executed.kind === 'run') {
    const { conclusion, stop } = executed.outcome;
    if (!['failure', 'limit', 'cancelled'].includes(conclusion) || stop?.kind === 'superseded') return false;
  }
  return (await lastRequestedRun(store, { thread: plan.thread })) === plan.run_id;
}
