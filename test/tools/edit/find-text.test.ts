import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findText } from '../../../src/tools/edit/find-text.ts';

test.each([
  { strategy: 'exact', content: 'a b a', wanted: 'a', found: ['a', 'a'] },
  {
    strategy: 'indentation-flexible',
    content: '  if x:\n    y\n',
    wanted: 'if x:\n  y',
    found: ['  if x:\n    y'],
  },
  {
    strategy: 'line-trimmed',
    content: 'if x:\n      y  \n',
    wanted: '  if x:\n  y\n',
    found: ['if x:\n      y  \n'],
  },
  { strategy: 'whitespace-normalized', content: 'f(a,   b)\n', wanted: ' f(a, b)', found: ['f(a,   b)'] },
  { strategy: 'trimmed-boundary', content: 'x\n a\ny', wanted: '\n\na\n\n', found: [' a'] },
  { strategy: 'line-number-stripped', content: 'one\ntwo\n', wanted: '1\tone\n2\ttwo', found: ['one\ntwo'] },
])('text is found by $strategy', ({ strategy, content, wanted, found }) => {
  const result = findText(content, wanted);
  const pieces = result?.spans.map((span) => content.slice(span.start, span.end));
  expect({ strategy: result?.strategy, pieces }).toEqual({ strategy, pieces: found });
});

test.each([
  { content: 'one\ntwo\n', wanted: 'one two', why: 'lines are not joined' },
  { content: 'a\n\n\nb\n', wanted: '  \n  ', why: 'blank text is only taken literally' },
  { content: 'foo(ab)\n', wanted: 'foo(a b)', why: 'whitespace is not made from nothing' },
  {
    content: 'value = 10\n',
    wanted: '10: value = 10',
    why: 'a label that stands on some lines only is text',
  },
])('$wanted is not found: $why', ({ content, wanted }) => {
  const found = findText(content, wanted);
  expect(found === null || found.strategy === 'line-number-stripped').toBe(true);
});

test('pieces that lie within each other are found once', () => {
  expect(findText('aaaa', 'aa')?.spans).toEqual([
    { start: 0, end: 2 },
    { start: 2, end: 4 },
  ]);
});

test('whatever is found says the same as what was looked for, but for whitespace', () => {
  const line = fc.constantFrom('a', ' a', '  b', 'b ', '', '\tc');
  const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));
  const bare = (value: string): string => value.replaceAll(/\s+/g, '');
  fc.assert(
    fc.property(text, text, (content, wanted) => {
      fc.pre(wanted !== '');
      for (const span of findText(content, wanted)?.spans ?? []) {
        expect(bare(content.slice(span.start, span.end))).toBe(bare(wanted));
      }
    }),
  );
});
