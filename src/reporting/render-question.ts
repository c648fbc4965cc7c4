import type { Question } from '../contract/question.ts';
import { closedMarkdown, codeSpan, cutText, oneLine } from './markdown.ts';
import { publicText } from './public-text.ts';

type Asked = Omit<Question, 'questions'>;

/**
 * The comment that asks a person: the question and why, numbered options, how to answer and who may. Up to
 * three questions that go with it are asked below.
 */
export function renderQuestion(question: Question): string {
  const all: Asked[] = [question, ...question.questions];
  const asked = all.map((one, index) => renderAsked(one, all.length > 1 ? index + 1 : null));
  return ['**A question before this can go on**', ...asked, howToAnswer(question)].join('\n\n');
}

function renderAsked(asked: Asked, number: number | null): string {
  const text = closedMarkdown(cutText(publicText(asked.question.trim()), 8_000, '…'));
  const reason = asked.reason === undefined ? '' : `Why: ${inline(asked.reason, 1_000)}`;
  const options = asked.options.slice(0, 30).map((option, index) => {
    const description = option.description === undefined ? '' : `: ${inline(option.description, 500)}`;
    return `${index + 1}. **${inline(option.label, 200)}** (${codeSpan(option.id)})${description}`;
  });
  return [number === null ? text : `**${number}.** ${text}`, reason, options.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

function howToAnswer(question: Question): string {
  const first = question.options[0];
  const free = question.allow_freeform || first === undefined;
  const several = question.questions.length > 0;
  const example = several || first === undefined ? '/anode answer …' : '/anode answer 1';
  const how = several
    ? `Answer all of it in one comment, one line a question: ${codeSpan(example)}.`
    : first === undefined
      ? `Answer with ${codeSpan(example)}.`
      : `Answer with ${codeSpan(example)}, or just with the number or name of an option${free ? '; your own words are welcome too' : ''}.`;
  return `<sub>${how} People with write permission to this repository may answer.</sub>`;
}

function inline(text: string, length: number): string {
  return cutText(publicText(oneLine(text)), length, '…');
}
