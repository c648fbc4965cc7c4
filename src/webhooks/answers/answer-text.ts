import { type Question, unanswered } from '../../contract/run-results.ts';
import type { Box } from '../../contract/thread-records.ts';
import { chosenOption } from '../commands/chosen-option.ts';

type Asked = Omit<Question, 'questions'>;

/** Answers given by boxes: whole, or what is still wrong with them, as a sentence. */
export type TickedAnswer =
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'open'; readonly problem: string };

const allOf = (question: Question): readonly Asked[] => [question, ...question.questions];

/** Whether one tick says it all, so that no box has to be ticked to send it. */
export function isAnsweredByOneTick(question: Question): boolean {
  return question.questions.length === 0 && question.multiple !== true;
}

/**
 * What the ticked boxes say. One question with one choice is answered by the option's id; of several each gets a line
 * with its number. Two options where one is to be chosen, or none where one has to be, are no answer.
 */
export function tickedAnswer(question: Question, ticked: readonly Box[]): TickedAnswer {
  const open = (problem: string): TickedAnswer => ({ kind: 'open', problem });
  const all = allOf(question);
  const chosen = all.map((_, index) => chosenOf(index, ticked));
  for (const [index, asked] of all.entries()) {
    const name = all.length === 1 ? 'The question' : `Question ${index + 1}`;
    const count = chosenOf(index, ticked).length;
    if (count > 1 && asked.multiple !== true)
      return open(`${name} takes one option, and ${count} are ticked.`);
    if (count === 0 && asked.required) return open(`${name} has to be answered.`);
  }
  if (chosen.every((ids) => ids.length === 0)) return open('Nothing is ticked.');
  const [only] = chosen;
  if (isAnsweredByOneTick(question) && only?.[0] !== undefined) return { kind: 'whole', text: only[0] };
  return { kind: 'whole', text: linesOf(question, ticked) };
}

/**
 * The words of a comment that answers, with what was ticked before them. Without ticks, lines in the number of the questions are
 * their answers; other words stay as they are.
 */
export function withTicked(words: string, question: Question, ticked: readonly Box[]): string {
  const chosen = ticked.filter(({ means }) => means !== null);
  if (chosen.length === 0) return byLines(words, question);
  if (isAnsweredByOneTick(question)) return words;
  return `${linesOf(question, chosen)}\n\nIn their own words: ${words}`;
}

function byLines(words: string, question: Question): string {
  const all = allOf(question);
  const lines = words
    .split('\n')
    .map((line) => line.trim().replace(/^\d{1,2}[.)]\s+/, ''))
    .filter((line) => line !== '');
  if (all.length === 1 || lines.length !== all.length) return words;
  return all
    .map((asked, index) => {
      const line = lines[index] ?? '';
      const option = chosenOption(line, asked);
      const said = option === null ? line : `${option.id} (${option.label})`;
      return `${index + 1}. ${firstLine(asked)} ${said}`;
    })
    .join('\n');
}

const firstLine = ({ question }: Asked): string => question.replace(/\n.*/s, '');

/** What holds where nobody answered in time: the defaults, as far as there are any. */
export function defaultAnswer(question: Question): string {
  const all = allOf(question);
  if (all.every((asked) => asked.default === undefined))
    return `${unanswered} Go on without an answer: decide yourself, and say what you assumed.`;
  const ticked = all.flatMap((asked, index) =>
    asked.default === undefined ? [] : [{ means: { question: index, option: asked.default } }],
  );
  return `${unanswered} What you named as default holds:\n${linesOf(question, ticked)}`;
}

function linesOf(question: Question, ticked: readonly Pick<Box, 'means'>[]): string {
  return allOf(question)
    .map((asked, index, all) => {
      const names = chosenOf(index, ticked).map((id) => {
        const option = asked.options.find((one) => one.id === id);
        return option === undefined ? id : `${id} (${option.label})`;
      });
      const said = names.length === 0 ? 'no answer' : names.join(', ');
      return all.length === 1 ? said : `${index + 1}. ${firstLine(asked)} ${said}`;
    })
    .join('\n');
}

const chosenOf = (index: number, ticked: readonly Pick<Box, 'means'>[]): string[] =>
  ticked.flatMap(({ means }) => (means?.question === index ? [means.option] : []));
