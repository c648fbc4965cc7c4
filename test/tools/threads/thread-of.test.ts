import { expect, test } from 'vitest';
import { countWords, wordsOf } from '../../../src/tools/threads/thread-of.ts';

test('the words of a text have at least two letters or digits, appear once, and include thread numbers', () => {
  expect([wordsOf('A the Größe, THE x_1 12 3 #7 #'), wordsOf('a b')]).toEqual([
    ['the', 'größe', 'x_1', '12', '#7'],
    [],
  ]);
});

test('each word of a text counts once, also inside another word', () => {
  expect([countWords('The OTHER other', ['the', 'other', 'none']), countWords('x', [])]).toEqual([2, 0]);
});
