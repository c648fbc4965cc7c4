import { type Question, unanswered } from '../../contract/run-results.ts';
import type { Box } from '../../contract/thread-records.ts';
import { chosenOption } from '../commands/chosen-option.ts';

type SingleQuestion = Omit<Question, 'questions'>;

/** Result of ticked boxes: a complete answer, or a sentence about what is wrong. */
type TickedAnswer =
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'open'; readonly problem: string };

const allOf = (question: Question): readonly SingleQuestion[] => [question, ...question.questions];

/** Returns true if one tick answers the question, so that it needs no box for sending. */
export function isAnsweredByOneTick(question: Question): boolean {
  return question.questions.length === 0 && question.multiple !== true;
}

/**
 * Returns the answer that the ticked boxes give. A single question with one choice gets the
 * option's id. Several questions get one numbered line each. Two options are not an answer if one
 * is allowed; no option is not one if one is required.
 */
export function tickedAnswer(question: Question, ticked: readonly Box[]): TickedAnswer {
  const open = (problem: string): TickedAnswer => ({ kind: 'open', problem });
  const all = allOf(question);
  const chosen = all.map((_, index) => chosenOf(index, ticked));
  for (const [index, single] of all.entries()) {
    const name = all.length === 1 ? 'The question' : `Question ${index + 1}`;
    const count = chosenOf(index, ticked).length;
    if (count > 1 && single.multiple !== true)
      return open(`${name} takes one option, and ${count} are ticked.`);
    if (count === 0 && single.required) return open(`${name} has to be answered.`);
  }
  if (chosen.every((ids) => ids.length === 0)) return open('Nothing is ticked.');
  const [only] = chosen;
  if (isAnsweredByOneTick(question) && only?.[0] !== undefined) return { kind: 'whole', text: only[0] };
  return { kind: 'whole', text: linesOf(question, ticked) };
}

/**
 * Returns the text of an answering comment, with the ticked options before it. Without ticks, one
 * line per question answers the questions in order. Any other text is returned unchanged.
 */
export function withTicked(words: string, question: Question, ticked: readonly Box[]): string {
  const chosen = ticked.filter(({ means }) => means !== null);
  if (chosen.length === 0) return byLines(words, question);
  if (isAnsweredByOneTick(question)) return words;
  return `${linesOf(question, chosen)}\n\nIn their own words: ${words}`;
}

/** Returns the lines of an answer to several questions, without their numbers. */
export function answerLines(words: string): string[] {
  return words
    .split('\n')
    .map((line) => line.trim().replace(/^\d{1,2}[.)]\s+/, ''))
    .filter((line) => line !== '');
}

function byLines(words: string, question: Question): string {
  const all = allOf(question);
  const lines = answerLines(words);
  if (all.length === 1 || lines.length !== all.length) return words;
  return all
    .map((single, index) => {
      const line = lines[index] ?? '';
      const option = chosenOption(line, single);
      const text = option === null ? line : `${option.id} (${option.label})`;
      return `${index + 1}. ${firstLine(single)} ${text}`;
    })
    .join('\n');
}

const firstLine = ({ question }: SingleQuestion): string => question.replace(/\n.*/s, '');

/** Returns the default answer of a question that was not answered in time, if it has one. */
export function defaultAnswer(question: Question): string {
  const all = allOf(question);
  if (all.every((single) => single.default === undefined))
    return `${unanswered} Go on without an answer: decide yourself, and say what you assumed.`;
  const ticked = all.flatMap((single, index) =>
    single.default === undefined ? [] : [{ means: { question: index, option: single.default } }],
  );
  return `${unanswered} What you named as default holds:\n${linesOf(question, ticked)}`;
}

function linesOf(question: Question, ticked: readonly Pick<Box, 'means'>[]): string {
  return allOf(question)
    .map((single, index, all) => {
      const names = chosenOf(index, ticked).map((id) => {
        const option = single.options.find((one) => one.id === id);
        return option === undefined ? id : `${id} (${option.label})`;
      });
      const text = names.length === 0 ? 'no answer' : names.join(', ');
      return all.length === 1 ? text : `${index + 1}. ${firstLine(single)} ${text}`;
    })
    .join('\n');
}

const chosenOf = (index: number, ticked: readonly Pick<Box, 'means'>[]): string[] =>
  ticked.flatMap(({ means }) => (means?.question === index ? [means.option] : []));
