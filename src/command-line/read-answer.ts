import type { Question } from '../contract/run-results.ts';
import type { SingleQuestion } from './question-keys.ts';

/** An answer to one question: the chosen options, or free text. */
export type QuestionAnswer =
  | { readonly kind: 'chosen'; readonly options: Question['options'] }
  | { readonly kind: 'text'; readonly text: string };

/**
 * Reads an answer: options by id, label or number, several with commas where that is allowed; else
 * free text. An empty text selects the default. Null if the question does not allow it.
 */
export function readAnswer(question: SingleQuestion, given: string): QuestionAnswer | null {
  const text = given.trim() === '' ? (question.default ?? '') : given.trim();
  if (text === '') return null;
  const parts = question.multiple === true ? text.split(',').map((part) => part.trim()) : [text];
  const options = parts.flatMap((part) => optionOf(question, part) ?? []);
  if (options.length === parts.length) return { kind: 'chosen', options };
  return question.allow_freeform ? { kind: 'text', text } : null;
}

function optionOf({ options }: SingleQuestion, text: string): Question['options'][number] | undefined {
  const plain = text.toLowerCase();
  return options.find(({ id, label }, index) =>
    [id.toLowerCase(), label.toLowerCase(), String(index + 1)].includes(plain),
  );
}

/** Lists the answers that a question takes: `mit, apache-2.0`. */
export function allowedAnswers({ options, allow_freeform, multiple }: SingleQuestion): string {
  if (options.length === 0) return 'an answer';
  const ids = options.map(({ id }) => id).join(', ');
  const several = multiple === true ? `${ids} (several with commas)` : ids;
  return allow_freeform ? `${several}, or your own words` : several;
}

/** Renders a question for a terminal: the text, its reason, and its options with numbers. */
export function renderForTerminal(question: SingleQuestion, name: string | null = null): string {
  const { reason, options, default: preset } = question;
  const lines = options.map(({ id, label, description }, index) => {
    const more = description === undefined ? '' : `: ${description}`;
    return `  ${index + 1}. ${label} (${id})${more}${id === preset ? ' [default]' : ''}`;
  });
  const notes = [
    ...(question.multiple === true ? ['several may be chosen, with commas'] : []),
    ...(question.allow_freeform && options.length > 0 ? ['your own words are welcome'] : []),
    ...(question.required ? ['it has to be answered'] : []),
  ];
  return [
    `${name === null ? '' : `${name}: `}${question.question}`,
    ...(reason === undefined ? [] : [`  Why: ${reason}`]),
    ...lines,
    ...(notes.length === 0 ? [] : [`  (${notes.join('; ')})`]),
  ].join('\n');
}
