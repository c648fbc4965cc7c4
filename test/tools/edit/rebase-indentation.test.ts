import { describe, expect, test } from 'vitest';
import type { FoundText } from '../../../src/tools/edit/find-text.ts';
import {
  isIndentedAsFile,
  rebaser,
  withoutDoubledIndent,
} from '../../../src/tools/edit/rebase-indentation.ts';
import { fitReplacement } from '../../../src/tools/edit/replace-text.ts';

const split = (text: string) => text.split('|');

describe('the indentation of new lines', () => {
  const rebased = (wanted: string, found: string, next: string) =>
    split(next)
      .map(rebaser(split(wanted), split(found)))
      .join('|');

  test.each([
    // All are shifted by the same whitespace.
    ['a|  b', '  a|    b', 'x|  y||   ', '  x|    y||   '],
    ['  a|    b', 'a|  b', '  x|    y| z', 'x|  y|z'],
    ['a', '\ta', '  x', '\t  x'],
    ['a|b', 'a|b', '  x', '  x'],
    ['a||b', '  a||  b', 'x', '  x'],
    ['a|  |b', '  a||  b', 'x', '  x'],
    // Each depth has its own.
    ['  a|    b', '\ta|\t\tb', '  x|    y|      z|q|   r', '\tx|\t\ty|\t\t\tz|q|\t r'],
    ['a|  b|    c', 'a|    b|        c', '      x', '            x'],
    ['a|    b|        c', 'a|  b|    c', '            x|    y', '      x|  y'],
    [' a|  b', '\ta|\tb', ' x|  y|   z', '\tx|\ty|\t\tz'],
    // There is no rule.
    ['  a', '\ta', '  x', '  x'],
    ['  a|  b', '\ta|    b', '  x', '  x'],
    ['a|  b', 'a|\tb', '  x', '  x'],
  ])('from %j to %j: %j becomes %j', (wanted, found, next, expected) => {
    expect(rebased(wanted, found, next)).toBe(expected);
  });

  test('comes only from lines of the file', () => {
    expect(rebaser(['a', 'b'], [undefined, '  b'])('x')).toBe('  x');
    expect(rebaser(['a', 'b'], [undefined, undefined])('  x')).toBe('  x');
    expect(rebaser([], [])('x')).toBe('x');
  });
});

describe("new lines that already have the file's indentation", () => {
  test.each([
    ['  a|  x', 'a', '  a', true],
    ['a|x', 'a', '  a', false],
    ['  x', 'a', '  a', true],
    ['x', 'a', '  a', false],
    ['    x|  y', 'a', '  a', true],
    ['  x', '  a', '  a', false],
    ['  x||', 'a|', '  a|', true],
    ['  a|b|  c', 'a|b|c', '  a|  b|  c', true],
    ['  a|b', 'a|b', '  a|  b', false],
    ['  a|b|c', 'a|b|c', '  a|  b|  c', false],
    ['  x', 'a|  b', '  a|    b', true],
    ['  x', '  a|b', '    a|  b', true],
    ['    a|  a', 'a|  a', '  a|    a', true],
  ])('%j for %j in %j: %j', (next, wanted, found, expected) => {
    expect(isIndentedAsFile(split(next), split(wanted), split(found))).toBe(expected);
  });

  test('are recognised by lines of the file', () => {
    expect([
      isIndentedAsFile(['  b'], ['a', 'b'], [undefined, '  b']),
      isIndentedAsFile(['  b'], ['a', 'b'], [undefined, undefined]),
    ]).toEqual([true, false]);
  });
});

describe('a duplicated indentation', () => {
  test.each([
    ['  ', 'a', '  b', 'b'],
    ['  ', 'a', '  b\n    c\n\n  d', 'b\n    c\n\n  d'],
    ['  ', 'a', '  b\n c', '  b\n c'],
    ['  ', 'a', '    b', '    b'],
    ['  ', 'a', 'b', 'b'],
    ['', 'a', '  b', '  b'],
    ['x ', 'a', 'x b', 'x b'],
    ['  ', ' a', '  b', '  b'],
    ['  ', 'a', '  a', '  a'],
    ['  ', 'a', '', ''],
  ])('before %j of %j: %j becomes %j', (before, piece, next, expected) => {
    expect(withoutDoubledIndent(before, piece, next)).toBe(expected);
  });
});

describe('new text in place of a match', () => {
  const put = (wanted: string, piece: string, given: string, more: Partial<FoundText> = {}) =>
    fitReplacement(
      split(piece).join('\n'),
      {
        strategy: 'indentation',
        wanted: split(wanted).join('\n'),
        adapt: (text: string) => text,
        ...more,
      } as unknown as FoundText,
      split(given).join('\n'),
    )
      .split('\n')
      .join('|');

  test.each([
    ['a|b', '  a|  b', 'a|c', '  a|  c'],
    ['a|b', '  a|  b', 'a|x|b', '  a|  x|  b'],
    ['a|b', '  a|    b', 'a|x', '  a|    x'],
    ['a|b', '  a|    b', 'x|y|z', 'x|y|z'],
    ['a|b  |c', 'a |b|c', 'a|b  |d', 'a |b|d'],
    ['a|b|c', '  a|  b|  c', 'a|c', '  a|  c'],
    ['a|b|', '  a|  b', 'a|c|', '  a|  c'],
    ['a|b|', '  a|  b|', 'a|c|', '  a|  c|'],
    ['a|b', '  a|  b', '', ''],
    ['a|b', '  a|  b', '  a|  c', '  a|  c'],
    ['a|b', '  a|  b', '  a|  b', '    a|    b'],
    ['say("a")', 'say(“a”)', 'say("a", 1)', 'say(“a”, 1)'],
    ['say("a")', '  say(“a”)', 'tell("a")', '  tell(“a”)'],
    ['say("a")', 'say(“a”)', 'say("b")', 'say(“b”)'],
    ['say("a")', 'say(“b”)', 'say("c")', 'say("c")'],
    ['aa - a', 'aa – a', 'aa - a - a', 'aa – a - a'],
    ['a|b|c', '  a|  q|  z|  c', 'a|b|d', '  a|  b|  d'],
    ['a|b|c|d', '  a|    d', 'a|x|d', '  a|x|    d'],
    ['a|b', '  a|  b', 'a|c|', '  a|  c|'],
    ['a', '  a', '', ''],
    ['say("a")', 'say(“a”)', '', ''],
    ['a|b', '  a|    b', ' x|b', ' x|    b'],
    ['  a|  b|  c', 'a|q|z|c', '  a|  b|  d', 'a|b|d'],
    ['b|b|b', '  b|    b', 'b|b|x', '  b|    b|x'],
    ['a|b|c', '  q|  z|  b|  c', 'a|b|d', '  a|  b|  d'],
    ['a|b|c', '  a|  b|  q|  z', 'd|b|c', '  d|  b|  c'],
  ])('%j found as %j: %j becomes %j', (wanted, piece, given, expected) => {
    expect(put(wanted, piece, given)).toBe(expected);
  });

  test('keeps unintended lines while up to 400 others change', () => {
    const lines = (letter: string, count: number, last: string) =>
      [...Array.from({ length: count }, (_, index) => `${letter}${index}`), last].join('|');
    const lastOf = (count: number) =>
      put(lines('a', 200, 'same'), lines('a', 200, 'same  '), lines('b', count, 'same'))
        .split('|')
        .at(-1);
    expect([lastOf(200), lastOf(201)]).toEqual(['same  ', 'same']);
  });

  test('stays as given if the match is exact', () => {
    expect(put('a|', '  a', '  x|y|', { strategy: 'exact' } as Partial<FoundText>)).toBe('  x|y|');
  });

  test('is first adapted as the old text was', () => {
    const adapt = (text: string) => text.replaceAll('\\t', '\t');
    expect(put('a', '  a', '\\tx', { adapt } as Partial<FoundText>)).toBe('  \tx');
    expect(put('a', '  a', '\\t', { adapt: () => '' } as Partial<FoundText>)).toBe('');
  });
});
