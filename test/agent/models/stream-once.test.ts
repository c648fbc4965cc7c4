import { expect, it } from 'vitest';
import { streamOnce } from '../../../src/agent/models/retry.ts';

/**
 * The text that a listener receives from tries with these pieces; all except the last break off.
 */
function received(...tries: readonly (readonly string[])[]): string {
  const texts: string[] = [];
  const displayed = streamOnce((text) => texts.push(text));
  for (const [index, pieces] of tries.entries()) {
    const attempt = displayed.begin();
    for (const piece of pieces) attempt.push(piece);
    if (index === tries.length - 1) attempt.end();
  }
  return texts.join('');
}

const again = '\n\n[The answer broke off and begins again.]\n\n';

it.each([
  ['all of an answer that does not break', [['One ', 'two.']], 'One two.'],
  [
    'only what is new of an answer that is said again',
    [
      ['One ', 'tw'],
      ['One two', ' three.'],
    ],
    'One two three.',
  ],
  ['an answer that breaks twice at the same place', [['One'], ['On'], ['O', 'ne', '.']], 'One.'],
  ['another answer whole, behind a word that it begins again', [['One'], ['Ono', '!']], `One${again}Ono!`],
  ['an answer that ends before it broke off', [['One two'], ['One']], `One two${again}One`],
  ['the third after the second was another', [['One'], ['Two'], ['Two.']], `One${again}Two.`],
  ['nothing of a try that said nothing', [[], ['One.']], 'One.'],
] as [string, string[][], string][])('the listener receives %s', (_title, tries, expected) => {
  expect(received(...tries)).toBe(expected);
});
