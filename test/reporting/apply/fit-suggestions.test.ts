import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PostedSuggestion } from '../../../src/contract/review-record.ts';
import { fitSuggestions } from '../../../src/reporting/apply/fit-suggestions.ts';

const change = (first_line: number, before: string[], after: string[]): PostedSuggestion => ({
  ...{ id: `${first_line}`, path: 'a.js', first_line, last_line: first_line + before.length - 1 },
  ...{ before, after },
});
const put = (suggestions: PostedSuggestion[], before: string | null, now: string | null) => {
  const bytes = (text: string | null) => (text === null ? null : Buffer.from(text, 'latin1'));
  const { text, applied, left } = fitSuggestions(suggestions, { before: bytes(before), now: bytes(now) });
  return [text, applied.map(({ id }) => id), left.map(({ suggestion, why }) => [suggestion.id, why])];
};
const before = 'a\nb\nc\nd\ne\nf\n';
const two = change(2, ['b'], ['B', 'BB']);

test.each([
  ['on the same file', before, 'a\nB\nBB\nc\nd\ne\nf\n'],
  ['on lines that moved', `x\n${before}`, 'x\na\nB\nBB\nc\nd\ne\nf\n'],
  ['where other lines changed', 'a\nb\nc\nD\ne\nf\n', 'a\nB\nBB\nc\nD\ne\nf\n'],
  ['beside other kinds of line ends', 'a\nb\nc\nd\r\ne\nf', 'a\nB\nBB\nc\nd\r\ne\nf'],
])('applies a suggestion %s', (_, now, text) => {
  expect(put([two], before, now)).toEqual([text, ['2'], []]);
});

test.each([
  ['its line changed', 'a\nb!\nc\nd\ne\nf\n', 'the lines changed since'],
  ['its line is gone', 'a\nc\nd\ne\nf\n', 'the lines changed since'],
  ['the line above changed', 'A\nb\nc\nd\ne\nf\n', 'the lines changed since'],
  ['something came in below', 'a\nb\nnew\nc\nd\ne\nf\n', 'the lines changed since'],
  ['it stands there already', 'a\nB\nBB\nc\nd\ne\nf\n', 'it is there already'],
  ['the file is gone', null, 'no plain file is there any more'],
  ['the file is no text any more', 'a\nb\n\xff', 'the file is no text'],
])('omits a suggestion if %s', (_, now, why) => {
  expect(put([two], before, now)).toEqual([null, [], [['2', why]]]);
});

test('replaces first and last lines, also without a line end', () => {
  const all = [change(1, ['a'], []), change(3, ['c'], ['C', 'D'])];
  expect([
    put(all, 'a\nb\nc', 'a\nb\nc'),
    put(all, 'a\nb\nc\n', 'a\nb\nc\n'),
    put(all, 'a\nb\nc', 'new\na\nb\nc\nnew'),
    put([change(1, ['b'], ['B'])], before, before),
  ]).toEqual([
    ['b\nC\nD', ['1', '3'], []],
    ['b\nC\nD\n', ['1', '3'], []],
    [
      null,
      [],
      [
        ['1', 'the lines changed since'],
        ['3', 'the lines changed since'],
      ],
    ],
    [null, [], [['1', 'the lines changed since']]],
  ]);
});

test('applies the first of two suggestions for one line, and those of neighbours', () => {
  const all = [two, change(3, ['c'], ['C']), change(1, ['a', 'b'], ['AB'])];
  expect(put(all, before, before)).toEqual([
    'a\nB\nBB\nC\nd\ne\nf\n',
    ['2', '3'],
    [['1', 'another suggestion changes the same lines']],
  ]);
});

test('applies each suggestion at its place or not at all, whatever else changes', () => {
  const Lines = fc.array(fc.constantFrom('{', '}', '', 'x', 'y'), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(Lines, Lines, fc.nat(11), fc.nat(2), Lines, (then, now, at, more, after) => {
      const first = at % then.length;
      const own = then.slice(first, first + 1 + more);
      const suggestion = change(first + 1, own, after);
      const bytes = (lines: string[]) => Buffer.from(lines.join('\n'));
      const { text } = fitSuggestions([suggestion], { before: bytes(then), now: bytes(now) });
      if (text === null) return;
      const lines = text.split('\n');
      const places = now.flatMap((_, start) =>
        own.every((line, offset) => now[start + offset] === line) ? [start] : [],
      );
      const made = places.map((start) => now.toSpliced(start, own.length, ...after));
      expect(made.map((one) => one.join('\n'))).toContain(lines.join('\n'));
    }),
  );
});

test('omits a suggestion of code whose name was renamed since', () => {
  const old = 'let strict = true;\nrun();\nend();\n';
  const now = 'let careful = true;\nother();\nrun();\nend();\n';
  const one = change(3, ['end();'], ['end(strict);']);
  expect([
    put([one], old, now),
    put([{ ...one, path: 'a.md' }], old, now)[1],
    put([change(3, ['end();'], ['end(fresh);'])], old, now)[1],
  ]).toEqual([[null, [], [['3', '`strict` is not in the file any more']]], ['3'], ['3']]);
});
