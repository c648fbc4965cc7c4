import { describe, expect, test } from 'vitest';
import { fileLines, matchLines, wantedLines } from '../../../src/tools/edit/match-lines.ts';
import { anchoredBlocks, blocksInContext } from '../../../src/tools/edit/similar-blocks.ts';

type Find = typeof anchoredBlocks;
/** The pieces of a text that are found for an old one. */
const found = (find: Find, content: string, old: string) =>
  find(fileLines(content), wantedLines(old)).map(({ start, end }) => content.slice(start, end));

describe('a block between its first and last line', () => {
  const block = (...middle: string[]) => ['begin {', ...middle, '}', ''].join('\n');

  test('is found with a similar middle, ignoring blanks around lines', () => {
    const text = `x\n  begin {\n    abcdefghij\n  }\ny\n`;
    expect([
      found(anchoredBlocks, text, block('abcdefghij')),
      found(anchoredBlocks, text, block('abcdefgxyz')),
      found(anchoredBlocks, text, block('abcdefwxyz')),
      found(anchoredBlocks, text, 'begin {\nabcdefghij\n}'),
    ]).toEqual([
      ['  begin {\n    abcdefghij\n  }\n'],
      ['  begin {\n    abcdefghij\n  }\n'],
      [],
      ['  begin {\n    abcdefghij\n  }'],
    ]);
  });

  test('has at least three lines, and a distinctive first and last line', () => {
    const text = 'a\n\nb\nc\n';
    expect([
      found(anchoredBlocks, 'a\nb\n', 'a\nb\n'),
      found(anchoredBlocks, text, 'a\n\nb\n'),
      found(anchoredBlocks, text, '\nb\nc\n'),
      found(anchoredBlocks, text, 'a\nb\n \n'),
    ]).toEqual([[], ['a\n\nb\n'], [], []]);
  });

  test('is at most twice as long, or three lines longer', () => {
    const filled = (count: number) =>
      block('abcdefghijklmnopqrst', ...Array.from({ length: count }, () => ''));
    const lines = (count: number) =>
      found(anchoredBlocks, filled(count), block('abcdefghijklmnopqrst')).length;
    expect([lines(0), lines(3), lines(4)]).toEqual([1, 1, 0]);
    const long = Array.from({ length: 6 }, () => 'abcdefghijklmnopqrst');
    const more = (count: number) =>
      found(anchoredBlocks, block(...long, ...Array.from({ length: count }, () => '')), block(...long))
        .length;
    expect([more(8), more(9)]).toEqual([1, 0]);
  });

  test('is found separately for distant matches, and once, as the likeliest, for nested ones', () => {
    const two = `${block('abcdefghij')}${block('abcdefghix')}`;
    expect(found(anchoredBlocks, two, block('abcdefghij'))).toEqual([
      block('abcdefghij'),
      block('abcdefghix'),
    ]);
    const nested = 'begin {\nabcdefghij\n}\n}\n';
    expect(found(anchoredBlocks, nested, block('abcdefghij'))).toEqual([block('abcdefghij')]);
  });

  test('prefers the end with the searched indentation', () => {
    const long = 'one two three four five six seven eight nine ten eleven twelve';
    const text = `{\n  ${long}\n  }\n}\n`;
    expect(found(anchoredBlocks, text, `{\n  ${long}\n}\n`)).toHaveLength(2);
    expect(found(anchoredBlocks, text, `{\n  ${long}\n  }\n`)).toEqual([`{\n  ${long}\n  }\n`]);
  });
});

describe('a block with a slip in its first or last line', () => {
  const lines = [
    'function total(items) {',
    '  let sum = 0;',
    '  for (const item of items) sum += item;',
    '  return sum;',
    '}',
  ];
  const text = `a\n${lines.join('\n')}\nb\n`;
  const old = (...changed: [number, string][]) => {
    const copy = [...lines];
    for (const [at, line] of changed) copy[at] = line;
    return `${copy.join('\n')}\n`;
  };
  const whole = [`${lines.join('\n')}\n`];

  test('is found if half of its lines are equal and nine tenths are similar', () => {
    expect([
      found(blocksInContext, text, old([0, 'function total(item) {'])),
      found(blocksInContext, text, old([0, 'function sum(list) {'], [4, '};'])),
      found(blocksInContext, text, old([0, 'function total(item) {'], [1, '  let sun = 0;'])),
      found(blocksInContext, text, old([0, 'function total(i) {'], [1, '  let s = 0;'], [3, '  return s;'])),
      found(blocksInContext, `x\n${text}`, old([4, '};'])),
    ]).toEqual([whole, [], whole, [], whole]);
  });

  test('has three distinctive lines', () => {
    expect([
      found(blocksInContext, 'one line\n\ntwo lines\n', 'one lime\n\ntwo lines\n'),
      found(blocksInContext, 'one line\nx\ntwo lines\n', 'one lime\nx\ntwo lines\n'),
    ]).toEqual([[], ['one line\nx\ntwo lines\n']]);
  });

  test('lies completely in the text, also at its beginning and end', () => {
    expect([
      found(blocksInContext, `${lines.join('\n')}\n`, old([4, '};'])),
      found(blocksInContext, `${lines.slice(1).join('\n')}\n`, old()),
      found(blocksInContext, lines.slice(0, -1).join('\n'), old([4, '})'])),
    ]).toEqual([whole, [], []]);
  });

  test('is reported twice if it occurs twice', () => {
    expect(found(blocksInContext, `${text}${text}`, old([0, 'function total(item) {']))).toEqual([
      ...whole,
      ...whole,
    ]);
  });
});

describe('lines that are equal in another form', () => {
  const matched = (content: string, old: string) => {
    const match = matchLines(fileLines(content), wantedLines(old));
    return match && [match.strategy, ...match.spans.map(({ start, end }) => content.slice(start, end))];
  };

  test('are found by the strictest form that matches', () => {
    expect([
      matched('a\n  b\n    c\n', 'b\n  c\n'),
      matched('a\n  b\n   c\n', 'b\n  c\n'),
      matched('  b\n c\nx\n  b\n    c\n', 'b\n  c'),
      matched('say “hi” – now\n', 'say "hi" - now\n'),
      matched('Ma\u0308rz\n', 'M\u00e4rz\n'),
      matched('a  b\tc\n', 'a b c\n'),
      matched('f(a, b)\n', 'f( a,b )\n'),
      matched('a b\n', 'ab\n'),
      matched('a\nb\n', 'b\nc\n'),
    ]).toEqual([
      ['indentation-flexible', '  b\n    c\n'],
      ['line-trimmed', '  b\n   c\n'],
      ['indentation-flexible', '  b\n    c'],
      ['typographic', 'say “hi” – now\n'],
      ['typographic', 'Ma\u0308rz\n'],
      ['whitespace-normalized', 'a  b\tc\n'],
      ['whitespace-normalized', 'f(a, b)\n'],
      null,
      null,
    ]);
  });

  test('do not overlap', () => {
    expect(matched(' a\n a\n a\n b\n', 'a\na')).toEqual(['indentation-flexible', ' a\n a']);
    expect(matched(' a\n a\n a\n a\n', 'a\na')).toEqual(['indentation-flexible', ' a\n a', ' a\n a']);
  });
});

test('a range includes the last newline if it is requested and present', () => {
  const lines = fileLines('a\nbc\nd');
  expect([
    lines.span(0, 1, true),
    lines.span(0, 1, false),
    lines.span(1, 2, true),
    lines.span(1, 2, false),
    lines.span(2, 1, true),
  ]).toEqual([
    { start: 0, end: 2 },
    { start: 0, end: 1 },
    { start: 2, end: 6 },
    { start: 2, end: 6 },
    { start: 5, end: 6 },
  ]);
});
