import { RunStopped } from '../../contract/errors.ts';
import type { AnswerForm } from './answer-form.ts';
import type { LoopState } from './loop-state.ts';

/** Times that the answer is asked for again before the run fails. */
const mostRepeats = 3;

/**
 * Returns true if the answer that would end the run has the required form, and records its value.
 * Otherwise asks for it again, and returns false. Throws `RunStopped` after the last time.
 */
export function acceptAnswer(loop: LoopState, answerForm: AnswerForm): boolean {
  const { run, conversation } = loop;
  const { requests } = run;
  const checked = answerForm.check(requests.finished?.answer ?? loop.answer);
  if ('value' in checked) {
    run.record({ type: 'answer.structured', value: checked.value });
    return true;
  }
  if (loop.misformed === mostRepeats) {
    const message = `The answer was asked for ${mostRepeats + 1} times and never had the required form: ${checked.problem}`;
    throw new RunStopped({ kind: 'answer_invalid', message });
  }
  loop.misformed += 1;
  requests.finished = null;
  const text = `Your final answer does not have the required form. ${checked.problem}\nAnswer again, with the JSON and nothing else.`;
  conversation.say({ role: 'user', parts: [{ type: 'text', text }] });
  return false;
}
