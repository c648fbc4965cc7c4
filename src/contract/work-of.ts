import type { RunPlan } from './plan.ts';

/**
 * Returns the verb of a run. A resumed run has the verb of its first part. This file is apart from
 * the plan's schema, which a report does not load.
 */
export function workOf(plan: Pick<RunPlan, 'verb' | 'work'>): string {
  return plan.work ?? plan.verb;
}

/** Returns true for a run with the profile of reviews, whatever its verb. */
export function isReview({ profile }: Pick<RunPlan, 'profile'>): boolean {
  return profile === 'review';
}
