import { RunPlan } from '../../contract/plan.ts';
import type { ActiveRuns } from '../../pipeline/context/active-runs.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { HeldRun } from './delivery-methods.ts';

/** A run as the front process keeps it. */
export function heldRun(plan: RunPlan, tenant: string): HeldRun {
  const { run_id, thread } = plan;
  return { run_id, tenant, thread: thread?.number ?? null, plan: JSON.stringify(plan) };
}

/** The context with whole plans of its runs. To parse them is for a process that may be held up by what strangers wrote. */
export function withPlans(context: DeliveryContext<HeldRun>): DeliveryContext {
  return { ...context, runs: plansOf(context.runs, context.tenant) };
}

function plansOf(runs: ActiveRuns<HeldRun>, tenant: string): ActiveRuns {
  return {
    take: (plan) => runs.take(heldRun(plan, tenant)),
    list: async () => (await runs.list()).map(({ plan }) => RunPlan.parse(JSON.parse(plan))),
    stop: runs.stop,
  };
}
