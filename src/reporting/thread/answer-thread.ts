import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { hostsOf, publicCut } from '../text/public-text.ts';
import { postInThread } from './post-in-thread.ts';

const longestAnswer = 20_000;

/**
 * Posts the answer of a run in the review thread that it was requested in, once. Returns null for
 * any other run, for a run without an answer, and if the thread is gone.
 */
export async function answerThread(
  { answer, conclusion }: Pick<Outcome, 'answer' | 'conclusion'>,
  plan: RunPlan,
  ports: Pick<PublishPorts, 'octokit' | 'ownLogin'>,
): Promise<{ readonly url: string } | null> {
  if (plan.review_thread === undefined || answer.trim() === '' || conclusion === 'waiting') return null;
  const text = publicCut(answer.trim(), longestAnswer, '\n\n[cut]', hostsOf(plan));
  return postInThread('answer', text, plan, ports);
}
