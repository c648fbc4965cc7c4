import type { RunPlan } from './plan.ts';

/** What a run is about: its verb, or, where it goes on after an answer, that of the run it began as. */
export function workOf(plan: Pick<RunPlan, 'verb' | 'work'>): string {
  return plan.work ?? plan.verb;
}
