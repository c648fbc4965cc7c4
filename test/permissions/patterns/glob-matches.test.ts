import { expect, test } from 'vitest';
import { globMatches } from '../../../src/permissions/patterns/glob-matches.ts';

test.each([
  ['', '', true],
  ['', 'a', false],
  ['a', '', false],
  ['*', '', true],
  ['*', 'abc', true],
  ['**', '', true],
  ['?', '', false],
  ['?', 'a', true],
  ['?', '*', true],
  ['??', 'a', false],
  ['abc', 'abc', true],
  ['abc', 'abd', false],
  ['abc', 'abcd', false],
  ['a*', 'b', false],
  ['a*c', 'ac', true],
  ['a*c', 'abcbc', true],
  ['a*c', 'abcb', false],
  ['*b', 'ab', true],
  ['*a?', 'aab', true],
  ['*ab*', 'aaabc', true],
  ['a*b*c', 'axbybc', true],
  ['a*b*c', 'axbyb', false],
  ['a*b?', 'abb', true],
  ['**a', 'bba', true],
])('the glob %j on %j: %j', (glob, text, matches) => {
  expect(globMatches(glob, text)).toBe(matches);
});

test('a regular expression stands for one character', () => {
  const glob = ['a', /[bc]/, '*', /\d/];
  expect(['ab1', 'acxx2', 'ad1', 'ab', 'ab1x'].map((text) => globMatches(glob, text))).toEqual([
    ...[true, true, false, false, false],
  ]);
});
