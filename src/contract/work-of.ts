import type { RunPlan } from './plan.ts';

/**
 * Returns the verb of a run, or, if it goes on after an answer, that of the run it began as. Apart from
 * the plan's schema, which a report does not load.
 */
export function workOf(plan: Pick<RunPlan, 'verb' | 'work'>): string {
  return plan.work ?? plan.verb;
}
