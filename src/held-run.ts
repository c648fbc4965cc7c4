import { RunPlan } from './contract/plan.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { HeldRun } from './delivery-methods.ts';
import type { RunsInHand } from './runs-in-hand.ts';

/** A run as the front process keeps it. */
export function heldRun(plan: RunPlan): HeldRun {
  const { run_id, repository, thread } = plan;
  const { owner, name } = repository;
  return { run_id, repository: { owner, name }, thread: thread?.number ?? null, plan: JSON.stringify(plan) };
}

/** The context with whole plans of its runs. To parse them is for a process that may be held up by what strangers wrote. */
export function withPlans(context: DeliveryContext<HeldRun>): DeliveryContext {
  return { ...context, runs: plansOf(context.runs) };
}

function plansOf(runs: RunsInHand<HeldRun>): RunsInHand {
  return {
    take: (plan) => runs.take(heldRun(plan)),
    list: async () => (await runs.list()).map(({ plan }) => RunPlan.parse(JSON.parse(plan))),
    stop: runs.stop,
  };
}
