import { expect, test } from 'vitest';
import type { Json } from '../../../src/contract/json.ts';
import { formatInput } from '../../../src/reporting/html/format-input.ts';

test.each<[input: Json, text: string]>([
  ['ls', 'ls'],
  [null, 'null'],
  [3, '3'],
  [['a', 1], '[\n  "a",\n  1\n]'],
  [{}, ''],
  [{ a: 'x', b: 2, c: null, d: [1], e: { f: 'g' } }, 'a: x\nb: 2\nc: null\nd: [1]\ne: {"f":"g"}'],
  [{ a: 'x\n\n  y\n' }, 'a: \n    x\n\n      y\n'],
  [{ a: ['x'.repeat(76)] }, `a: ["${'x'.repeat(76)}"]`],
  [{ a: ['x'.repeat(77)] }, `a: [\n  "${'x'.repeat(77)}"\n]`],
])('the arguments %j are shown as %j', (input, text) => {
  expect(formatInput(input)).toBe(text);
});
