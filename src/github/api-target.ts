import type { RunPlan } from '../contract/plan.ts';

/** The part of a plan that names its repository. */
interface PlanTarget {
  readonly repository: Pick<RunPlan['repository'], 'owner' | 'name'>;
}

/** Returns the repository of a plan, with the API's parameter names. */
export const repoOf = ({ repository }: PlanTarget) => ({
  owner: repository.owner,
  repo: repository.name,
});

/** Returns the pull request of a plan, with the API's parameter names. */
export const pullOf = (plan: PlanTarget & Pick<RunPlan, 'thread'>) => ({
  ...repoOf(plan),
  pull_number: plan.thread?.number ?? 0,
});
