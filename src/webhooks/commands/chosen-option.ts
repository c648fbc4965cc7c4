import type { Question } from '../../contract/run-results.ts';

/** Maximum characters of a comment that can name an option. */
const longestName = 2_000;

/**
 * Returns the option that a comment consists of, by id, label or number from 1; null for any other
 * text. Only this makes a comment without an address an answer. Free text needs a mention or
 * `/anode answer`, so that people can talk while a run waits.
 */
export function chosenOption(
  body: string,
  question: Pick<Question, 'options'>,
): Question['options'][number] | null {
  const text = body.length > longestName ? '' : plain(body);
  if (text === '') return null;
  const isNamed = (names: readonly string[]): boolean => names.some((name) => plain(name) === text);
  const byName = question.options.find(({ id, label }) => isNamed([id, label]));
  return byName ?? question.options.find((_, index) => isNamed([String(index + 1)])) ?? null;
}

/**
 * Removes differences that do not count: case, outer spaces, a final full stop, and list or
 * emphasis marks.
 */
function plain(text: string): string {
  return text
    .trim()
    .replace(/^[*_`]+|[*_`]+$/g, '')
    .replace(/[.)!]$/, '')
    .trim()
    .toLowerCase();
}
