import type { Question } from '../../contract/run-results.ts';
import type { Box } from '../../contract/thread-records.ts';
import { chosenOption } from '../commands/chosen-option.ts';
import { answerLines, tickedAnswer } from './answer-text.ts';

type SingleQuestion = Omit<Question, 'questions'>;

/**
 * Returns why the text of a comment does not answer a question, with the possible answers; null if
 * it does. Questions that take no free text take an option by its number, name or id. Pure.
 */
export function answerProblem(words: string, question: Question, ticked: readonly Box[]): string | null {
  const all = [question, ...question.questions];
  if (all.every(takesAnyWords)) return null;
  const lines = all.length === 1 ? [words] : answerLines(words);
  if (lines.length === all.length) {
    const wrong = all.flatMap((single, index) =>
      takesAnyWords(single) || isOptions(lines[index] ?? '', single) ? [] : [{ single, index }],
    );
    return wrong.length === 0 ? null : problemOf(wrong, all.length);
  }
  // With all boxes ticked the text is only an addition.
  const isTicked = tickedAnswer(question, ticked).kind === 'whole';
  if (isTicked && all.some(takesAnyWords)) return null;
  const wrong = all.flatMap((single, index) => (takesAnyWords(single) ? [] : [{ single, index }]));
  return `Answer each of the ${all.length} questions on a line of its own. ${problemOf(wrong, all.length)}`;
}

const takesAnyWords = ({ allow_freeform, options }: SingleQuestion): boolean =>
  allow_freeform || options.length === 0;

/** Returns true if a text is an option, or a list of options where several may be chosen. */
function isOptions(text: string, question: SingleQuestion): boolean {
  if (chosenOption(text, question) !== null) return true;
  const parts = text.split(/[,;\n]|\s+(?:and|&)\s+/u).filter((part) => part.trim() !== '');
  return (
    question.multiple === true && parts.length > 0 && parts.every((part) => chosenOption(part, question))
  );
}

function problemOf(
  wrong: readonly { readonly single: SingleQuestion; readonly index: number }[],
  count: number,
): string {
  const lines = wrong.map(({ single, index }) => {
    const names = single.options.map(({ label }, at) => `${at + 1}. ${label}`).join(', ');
    const which = count === 1 ? 'Allowed answers' : `Question ${index + 1}`;
    return `${which}${single.multiple === true ? ' (several may be chosen)' : ''}: ${names}.`;
  });
  return ['This does not answer the question, which takes only its own options.', ...lines].join(' ');
}
