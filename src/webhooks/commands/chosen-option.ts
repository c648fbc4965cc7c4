import type { Question } from '../../contract/run-results.ts';
import { optionInSentence } from './option-in-sentence.ts';

/** Maximum characters of a comment that can name an option. */
const longestName = 2_000;

/**
 * Returns the option that a comment names and nothing else: by id, label or number from 1, also in
 * a plain sentence ("the first one, please"). Null for any other text. Only this makes a comment
 * in the conversation an answer without an address.
 */
export function chosenOption(
  body: string,
  { options }: Pick<Question, 'options'>,
): Question['options'][number] | null {
  const text = body.length > longestName ? '' : plain(body);
  if (text === '') return null;
  const isNamed = (names: readonly string[]): boolean => names.some((name) => plain(name) === text);
  const byName = options.find(({ id, label }) => isNamed([id, label]));
  const byNumber = byName ?? options.find((_, index) => isNamed([String(index + 1)]));
  return byNumber ?? optionInSentence(text, options);
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
