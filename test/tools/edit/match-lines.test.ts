import { expect, test } from 'vitest';
import { fileLines, matchLines, wantedLines } from '../../../src/tools/edit/match-lines.ts';

/** The pieces of a file that are found for a text, and the first way that found them. */
function found(file: string, text: string) {
  const match = matchLines(fileLines(file), wantedLines(text));
  return match && [match.strategy, ...match.spans.map(({ start, end }) => file.slice(start, end))];
}

test.each<[file: string, text: string, expected: readonly string[] | null]>([
  ['a\n  b\nc', 'b', ['indentation-flexible', '  b']],
  ['a\n  b\nc', 'b\n', ['indentation-flexible', '  b\n']],
  ['  a\n    b  \n\n', 'a\n  b', ['indentation-flexible', '  a\n    b  ']],
  ['  a\n b', 'a\nb', ['line-trimmed', '  a\n b']],
  ['  a\n b\na\nb', 'a\nb', ['indentation-flexible', 'a\nb']],
  ['a\n a\na', 'a\na', ['line-trimmed', 'a\n a']],
  ['a\na\na', ' a\n a', ['indentation-flexible', 'a\na']],
  ['\ta\n\n\tb', 'a\n   \nb', ['indentation-flexible', '\ta\n\n\tb']],
  ['x\n  say “no” – ‘now’\n', '"no"', null],
  ['x\n  say “no” – ‘now’\n', 'say "no" - \'now\'', ['typographic', '  say “no” – ‘now’']],
  ['say "no"', 'say “no”  ', ['typographic', 'say "no"']],
  ['caf\u00e9', 'cafe\u0301', ['typographic', 'caf\u00e9']],
  ['a  b\tc', 'a b c', ['whitespace-normalized', 'a  b\tc']],
  ['a\tb', 'a b', ['whitespace-normalized', 'a\tb']],
  ['a b', 'a  b', ['whitespace-normalized', 'a b']],
  ['f( a, b )', 'f(a,b)', ['whitespace-normalized', 'f( a, b )']],
  ['f(a)', 'f ( a )', ['whitespace-normalized', 'f(a)']],
  ['f(ä  ö)', 'f( äö )', null],
  ['a_b', 'a _b', null],
  ['a\u00a0 b', 'a b', ['whitespace-normalized', 'a\u00a0 b']],
  ['  a — b  c', 'a - b c', ['whitespace-normalized', '  a — b  c']],
  ['f(a)  ', '\tf( a )', ['whitespace-normalized', 'f(a)  ']],
  ['a - b', 'a b', null],
  ['  “a”  b', 'a b', null],
  ['  “a”  b', '\t"a" b', ['whitespace-normalized', '  “a”  b']],
  ['a - b\n a-b', 'a-b', ['indentation-flexible', ' a-b']],
  ['a  b', ' a b', ['whitespace-normalized', 'a  b']],
  ['“a”\n  “b”', '"a"\n"b"', ['typographic', '“a”\n  “b”']],
  ['a', 'b', null],
])('in %j the text %j is found as %j', (file, text, expected) => {
  expect(found(file, text)).toEqual(expected);
});

test('a text consists of lines, and its last newline belongs to the last line', () => {
  expect([wantedLines('a\nb'), wantedLines('a\n\n'), wantedLines('')]).toEqual([
    { lines: ['a', 'b'], withNewline: false },
    { lines: ['a', ''], withNewline: true },
    { lines: [''], withNewline: false },
  ]);
});
