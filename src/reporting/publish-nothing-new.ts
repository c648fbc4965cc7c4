import type { Outcome } from '../contract/outcome.ts';
import type { RunPlan } from '../contract/plan.ts';
import { noUsage } from '../contract/usage-sums.ts';
import { createAttempt } from './posting/api-failure.ts';
import type { PublishPorts } from './posting/ports.ts';
import type { Published } from './report/published.ts';
import { renderNews } from './report/render-news.ts';
import { publishReview } from './review/publish-review.ts';
import { publishSummary } from './summary/publish-summary.ts';
import { reactDone, tryRemoveEyes } from './thread/reactions.ts';

/** A review that read nothing, with what is known of the findings after it. */
interface EmptyReview {
  readonly outcome: Outcome;
  readonly told: Published['told'];
}

/**
 * Finishes a review without new changes: marks findings fixed by reverted lines, stores the record
 * and removes 👀. Posts no comment; a 👍 acknowledges the request.
 */
export async function publishNothingNew(
  plan: RunPlan,
  ports: Omit<PublishPorts, 'progress' | 'session'>,
): Promise<EmptyReview> {
  const all: PublishPorts = { ...ports, progress: null, session: null };
  const nothing = { suggestions: [], leftover: '', whole: '' };
  const outcome = emptyOutcome(plan);
  // Failures are logged only, since there is no report.
  const attempt = createAttempt(plan, { log: ports.log }, []);
  const review = await publishReview({ outcome, plan, proposals: nothing, ports: all, attempt });
  const published = { issues: [], downgrades: [], failures: [], patch: '' };
  const context = { ...review, plan, runUrl: ports.runUrl, published };
  await attempt('The summary', async () =>
    publishSummary({
      ...{ outcome, plan, ports: all, review, editsOnly: true },
      render: () => renderNews(outcome, { ...context, scope: review.scope, hasReply: false }),
    }),
  );
  await reactDone(plan, ports);
  await tryRemoveEyes(plan, ports);
  ports.log.info({ run: plan.run_id }, 'nothing new to review');
  return { outcome, told: review.told };
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
