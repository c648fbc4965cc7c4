import type { Question } from '../contract/question.ts';

/**
 * Whether a plain comment, one that addresses nobody, is an answer to a waiting question: its whole text is an
 * option's id, its label or its number (from 1), and nothing else. Free text needs a mention or `/anode answer`, so
 * that people can talk on the thread while a run waits.
 */
export function answersQuestion(body: string, question: Question): boolean {
  const text = plain(body);
  if (text === '') return false;
  return question.options.some((option, index) =>
    [option.id, option.label, String(index + 1)].some((name) => plain(name) === text),
  );
}

/** Case, spaces around, a closing full stop, and list or emphasis marks make no difference. */
function plain(text: string): string {
  return text
    .trim()
    .replace(/^[*_`]+|[*_`]+$/g, '')
    .replace(/[.)!]$/, '')
    .trim()
    .toLowerCase();
}
