import { isReview } from '../../contract/work-of.ts';
import type { EventDecision } from '../../webhooks/decide-event.ts';

/**
 * Returns the decision for a job without a writing token and without a model's key: a review by
 * checks alone that posts nothing. Its result is the job's summary and the SARIF file. Any other
 * decision would reach no one, so it becomes a reason for the log.
 */
export function readOnlyDecision(decision: EventDecision): EventDecision {
  const { plan } = decision;
  const posted: EventDecision = { ...decision, act: undefined, reply: { kind: 'none' } };
  if (plan === null) return posted;
  if (isReview(plan))
    return { ...posted, plan: { ...plan, thread: null, trigger_comment: null, checks_only: true } };
  return {
    ...posted,
    decision: 'ignore',
    plan: null,
    reason:
      'GitHub gives this job neither secrets nor a token that can write, so that only reviews without a model run in it',
  };
}
