import { expect, test } from 'vitest';
import { append, largest, smallest } from '../../src/contract/lists.ts';

test('lists of any length are joined and searched', () => {
  const many = Array.from({ length: 300_000 }, (_, index) => index);
  const list = [0];
  append(list, many);
  expect([list.length, list[1], list.at(-1), largest(many), smallest(many)]).toEqual([
    ...[300_001, 0, 299_999, 299_999, 0],
  ]);
  expect([largest([], 1), largest([2], 1), smallest([], 1), smallest([0], 1)]).toEqual([1, 2, 1, 0]);
});
