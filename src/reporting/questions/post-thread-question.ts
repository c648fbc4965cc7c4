import type { RunPlan } from '../../contract/plan.ts';
import type { Question } from '../../contract/run-results.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { postInThread } from '../thread/post-in-thread.ts';
import { renderQuestion } from './render-question.ts';

/**
 * Posts a question also in the review thread that the run was requested in. `form` is the address
 * of the comment with its boxes. Does nothing for any other run. Safe to repeat.
 */
export async function postThreadQuestion(
  question: Question,
  form: string,
  plan: RunPlan,
  ports: Pick<PublishPorts, 'octokit' | 'ownLogin'>,
): Promise<void> {
  const takesWords = question.allow_freeform || question.options.length === 0;
  const how = takesWords ? 'Answer here in your own words' : 'Answer here with an option';
  const note = `<sub>${how}, or in [the comment with all ways to answer](${form}).</sub>`;
  await postInThread('question', `${renderQuestion(question)}\n\n${note}`, plan, ports);
}
