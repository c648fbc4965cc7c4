import { RunPlan } from '../../contract/plan.ts';
import type { ActiveRuns } from '../../pipeline/context/active-runs.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { ActiveRun } from './delivery-methods.ts';

/** Converts a plan to the front process's form. */
export function toActiveRun(plan: RunPlan, tenant: string): ActiveRun {
  const { run_id, thread } = plan;
  return { run_id, tenant, thread: thread?.number ?? null, plan: JSON.stringify(plan) };
}

/**
 * Adds parsed plans of the runs. Only delivery processes parse them, since hostile text may block a
 * process.
 */
export function withPlans(context: DeliveryContext<ActiveRun>): DeliveryContext {
  return { ...context, runs: plansOf(context.runs, context.tenant) };
}

function plansOf(runs: ActiveRuns<ActiveRun>, tenant: string): ActiveRuns {
  return {
    take: (plan) => runs.take(toActiveRun(plan, tenant)),
    list: async () => (await runs.list()).map(({ plan }) => RunPlan.parse(JSON.parse(plan))),
    stop: runs.stop,
  };
}
