import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { renderFixed } from '../findings/review-threads.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { hostsOf, publicCut } from '../text/public-text.ts';
import { postInThread } from './post-in-thread.ts';

const longestAnswer = 20_000;

/** Returns the review thread that gets the answer of a run, by its first comment; null for none. */
export function answeredThread(
  { answer, conclusion }: Pick<Outcome, 'answer' | 'conclusion'>,
  { review_thread: root }: Pick<RunPlan, 'review_thread'>,
): number | null {
  return root === undefined || answer.trim() === '' || conclusion === 'waiting' ? null : root;
}

/**
 * Posts the answer of a run in the review thread that it was requested in, once. `fixing` is the
 * commit that fixed the finding there, which the same reply names; null for none. Returns null for
 * any other run, for a run without an answer, and if the thread is gone.
 */
export async function answerThread(
  outcome: Pick<Outcome, 'answer' | 'conclusion'>,
  fixing: string | null,
  plan: RunPlan,
  ports: Pick<PublishPorts, 'octokit' | 'ownLogin'>,
): Promise<{ readonly url: string } | null> {
  if (answeredThread(outcome, plan) === null) return null;
  const text = publicCut(outcome.answer.trim(), longestAnswer, '\n\n[cut]', hostsOf(plan));
  const fixed = fixing === null ? [] : [renderFixed(fixing, plan)];
  return postInThread('answer', [text, ...fixed].join('\n\n'), plan, ports);
}
