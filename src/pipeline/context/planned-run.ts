import type { Config } from '../../config/schema.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { storedVerb } from '../../contract/verbs.ts';
import { isReview } from '../../contract/work-of.ts';
import type { RunInput } from '../../run/records/run-context.ts';
import { describeRequest } from './describe-request.ts';

/** Maps a plan to the fields of a run's input that it decides. */
export function plannedRun(plan: RunPlan) {
  return {
    runId: plan.run_id,
    sessionId: plan.session_id,
    task: plan.prompt,
    asked: describeRequest(plan),
    threadContext: plan.thread_context,
    profile: plan.profile,
    ...(plan.effort === undefined ? {} : { effort: plan.effort }),
    diffBytes: plan.thread?.kind === 'pull_request' ? (storedVerb(plan.verb)?.diffBytes ?? 0) : 0,
    preset: plan.preset,
    readOnly: plan.read_only,
    sandbox: plan.sandbox,
    model: plan.model,
    limits: plan.limits,
    plan,
  } satisfies Partial<RunInput>;
}

/** Returns true for a review by the checks only. A resumed run keeps its kind. */
export function isChecksOnly(plan: RunPlan, config: Config): boolean {
  const asked = plan.checks_only ?? config.review?.checksOnly ?? false;
  return asked && isReview(plan) && plan.resume === null;
}
