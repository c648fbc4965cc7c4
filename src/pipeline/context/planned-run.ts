import type { Config } from '../../config/schema.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { RunInput } from '../../run/records/run-context.ts';

/** Verbs besides reviews that are about what a pull request changes. */
const aboutTheDiff: ReadonlySet<RunPlan['verb']> = new Set(['ask', 'plan', 'describe', 'improve', 'fix']);

/** What a plan settles of its run; folders, ports and credentials are the root's to add. */
export function plannedRun(plan: RunPlan) {
  return {
    runId: plan.run_id,
    sessionId: plan.session_id,
    task: plan.prompt,
    threadContext: plan.thread_context,
    profile: plan.profile,
    ...(plan.effort === undefined ? {} : { effort: plan.effort }),
    showDiff: plan.thread?.kind === 'pull_request' && aboutTheDiff.has(plan.verb),
    preset: plan.preset,
    readOnly: plan.read_only,
    sandbox: plan.sandbox,
    model: plan.model,
    limits: plan.limits,
    plan,
  } satisfies Partial<RunInput>;
}

/** Whether a review is one by the checks alone; what a person resumes goes on as it was. */
export function isChecksOnly(plan: RunPlan, config: Config): boolean {
  const asked = plan.checks_only ?? config.review?.checksOnly ?? false;
  return asked && plan.profile === 'review' && plan.resume === null;
}
