import { expect, test } from 'vitest';
import { countWords, wordsOf } from '../../../src/tools/threads/thread-of.ts';

test('the words of a text are those of two letters or digits, each once, and numbers of threads', () => {
  expect([wordsOf('A the Größe, THE x_1 12 3 #7 #'), wordsOf('a b')]).toEqual([
    ['the', 'größe', 'x_1', '12', '#7'],
    [],
  ]);
});

test('each word that a text has counts once, also within another', () => {
  expect([countWords('The OTHER other', ['the', 'other', 'none']), countWords('x', [])]).toEqual([2, 0]);
});
