import { expect, test } from 'vitest';
import { withinTime } from '../../../src/tools/text/interruptible.ts';

test('work within its time limit returns its result', () => {
  expect(withinTime(10_000, () => ['a', null])).toEqual({ result: ['a', null] });
});

test('errors of the work are passed on', () => {
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
])('endless %s is stopped', (_, work: () => unknown) => {
  expect(withinTime(20, work)).toBeNull();
});
