import { expect, test } from 'vitest';
import { withinTime } from '../../../src/tools/text/interruptible.ts';

test('work that is done in time gives what it gives', () => {
  expect(withinTime(10_000, () => ['a', null])).toEqual({ result: ['a', null] });
});

test('what work throws goes through', () => {
  const problem = new RangeError('too deep');
  expect(() =>
    withinTime(10_000, () => {
      throw problem;
    }),
  ).toThrow(problem);
});

test.each([
  [
    'a loop',
    () => {
      for (;;);
    },
  ],
  ['a regular expression', () => /^(a+)+$/.test(`${'a'.repeat(100)}b`)],
])('%s without an end is stopped', (_, work: () => unknown) => {
  expect(withinTime(20, work)).toBeNull();
});
