import type { Question } from '../../contract/run-results.ts';

/** Longer than the name of any option with the marks around it: what is longer picks none. */
const longestName = 2_000;

/**
 * The option that a comment picks: its whole text is the option's id, its label or its number (from 1), and nothing
 * else; null where it picks none. This alone makes a comment that addresses nobody an answer: free text needs a
 * mention or `/anode answer`, so that people can talk on the thread while a run waits.
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

/** Case, spaces around, a closing full stop, and list or emphasis marks make no difference. */
function plain(text: string): string {
  return text
    .trim()
    .replace(/^[*_`]+|[*_`]+$/g, '')
    .replace(/[.)!]$/, '')
    .trim()
    .toLowerCase();
}
