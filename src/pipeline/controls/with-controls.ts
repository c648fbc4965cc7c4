import type { Config } from '../../config/schema.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { ControlName } from '../../contract/thread-records.ts';
import { systemClock } from '../../github/clock.ts';
import { isProtected } from '../../permissions/gate/protected-paths.ts';
import { type Offering, startControls } from '../../reporting/controls/controls-comment.ts';
import { readReviewRecord } from '../../reporting/findings/previous-findings.ts';
import { readSuggestions } from '../../reporting/suggestions/stored-suggestions.ts';
import { readSummaryBoxes } from '../../reporting/summary/summary-boxes.ts';
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
    // The job of the agent does not see which box was ticked.
    if (context.share === undefined && (await mayBeRetried(plan, executed, store))) then.push('retry');
    const offering = await offeringRuns(plan, config, store);
    if (offering.isEnough && offering.runs.includes(plan.run_id)) then.push('apply');
    await controls.end(then, { offering, clears: plan.own_commit === undefined });
    return executed;
  } finally {
    // Another attempt follows a run that threw, with controls of its own.
    await controls.leave();
  }
}

/** Runs that one tick can commit. */
const mostRuns = 50;

/**
 * Returns the runs whose open suggestions one tick can commit, this one last. A single suggestion
 * on a line is not enough, since it has GitHub's own button, unless `report.controls` asks for its
 * box.
 */
async function offeringRuns(
  { thread, run_id }: RunPlan,
  { report, commit, protected: allowed }: Config,
  store: StateStore,
): Promise<Offering> {
  const commits = commit?.outlet === undefined || commit.outlet === 'commit';
  if (!commits || thread?.kind !== 'pull_request') return { runs: [], isEnough: false };
  const { boxes } = await readSummaryBoxes(thread.number, store);
  const earlier = boxes.flatMap((box) => (box.does === 'apply' && box.run_id !== run_id ? [box.run_id] : []));
  const record = await readReviewRecord({ thread }, store);
  const closed = new Set((record?.findings ?? []).flatMap(({ id, state }) => (state === 'open' ? [] : [id])));
  const listed = new Set((record?.findings ?? []).flatMap(({ id, folded }) => (folded === true ? [id] : [])));
  const offering: string[] = [];
  let sum = 0;
  let hasListed = false;
  for (const run of [...earlier, run_id].slice(-mostRuns)) {
    const suggestions = (await readSuggestions(store, run))?.suggestions ?? [];
    const open = suggestions.filter(
      ({ id, path }) => !closed.has(id) && isProtected(path, allowed?.allow ?? []) === null,
    );
    if (open.length > 0) offering.push(run);
    sum += open.length;
    hasListed ||= open.some(({ id }) => listed.has(id));
  }
  return { runs: offering, isEnough: hasListed || sum >= (report?.controls === true ? 1 : 2) };
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
