import type { RunPlan } from '../../contract/plan.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { ControlName } from '../../contract/thread-records.ts';
import { systemClock } from '../../github/clock.ts';
import { startControls } from '../../reporting/controls/controls-comment.ts';
import { lastRequestedRun } from '../../webhooks/records/last-request.ts';
import type { BrokerContext } from '../context/broker-context.ts';
import type { RunResult } from '../context/run-result.ts';
import { openSuggestions } from '../finish/open-suggestions.ts';

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
    // The job of the agent does not see which box was ticked.
    if (context.share === undefined && (await mayBeRetried(plan, executed, store))) then.push('retry');
    const offering = await openSuggestions(plan.thread, plan.run_id, config, store);
    if (offering.isEnough && offering.runs.includes(plan.run_id)) then.push('apply');
    await controls.end(then, { offering, clears: plan.own_commit === undefined });
    return executed;
  } finally {
    // Another attempt follows a run that threw, with controls of its own.
    await controls.leave();
  }
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
