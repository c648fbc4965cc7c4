import { expect, test } from 'vitest';
import type { Json } from '../../../src/contract/json.ts';
import { isBoundedJson } from '../../../src/extensions/protocol/bounded-json.ts';

test.each<[value: Json, parts: number, depth: number]>([
  [1, 1, 0],
  [null, 1, 0],
  ['text', 1, 0],
  [[], 1, 0],
  [[1, 'ab', null], 4, 1],
  [{ a: 1, b: [2, { c: 3 }] }, 6, 3],
])('%j has %i parts, nested %i deep', (value, parts, depth) => {
  expect([
    isBoundedJson(value, { parts, depth }),
    isBoundedJson(value, { parts: parts - 1, depth }),
    isBoundedJson(value, { parts, depth: depth - 1 }),
  ]).toEqual([true, false, false]);
});
