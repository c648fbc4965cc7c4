import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { noUsage } from '../../contract/usage.ts';
import { createAttempt } from '../posting/attempt.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { reactDone } from '../thread/react-done.ts';
import { tryRemoveEyes } from '../thread/remove-eyes.ts';
import { publishReview } from './publish-review.ts';

/**
 * Of a review that has nothing new to look at: settles what the push fixed by taking lines back, keeps what is known, and
 * takes 👀 away. No comment is posted; whoever asked in one sees by a 👍 that it was heard.
 */
export async function publishNothingNew(
  plan: RunPlan,
  ports: Omit<PublishPorts, 'progress' | 'session'>,
): Promise<void> {
  const all: PublishPorts = { ...ports, progress: null, session: null };
  const nothing = { suggestions: [], leftover: '', whole: '' };
  // What fails here is in the log; there is no report to tell it in.
  await publishReview(emptyOutcome(plan), plan, nothing, all, createAttempt(plan, { log: ports.log }, []));
  await reactDone(plan, ports);
  await tryRemoveEyes(plan, ports);
  ports.log.info({ run: plan.run_id }, 'nothing new to review');
}

/** A run without a single turn. */
function emptyOutcome(plan: RunPlan): Outcome {
  return {
    version: 1,
    run_id: plan.run_id,
    session_id: plan.session_id,
    conclusion: 'success',
    answer: '',
    stop: null,
    model: plan.model ?? '',
    profile: plan.profile,
    preset: plan.preset,
    turns: 0,
    tool_calls: 0,
    usage: noUsage,
    cost_usd: null,
    duration_ms: 0,
    todos: [],
    findings: [],
    refusals: [],
    approvals: [],
    handoffs: [],
    question: null,
    diagnostics: [],
    changes: { base_sha: plan.checkout.sha, patch: '', files: [] },
  };
}
