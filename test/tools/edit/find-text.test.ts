import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findText } from '../../../src/tools/edit/find-text.ts';

const block = 'function f() {\n  const a = 1;\n  const b = 2;\n  return a + b;\n}';

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
  { strategy: 'whitespace-normalized', content: ' f( a,b ) {\n', wanted: 'f(a, b){', found: [' f( a,b ) {'] },
  { strategy: 'typographic', content: '  say(“a”)\n', wanted: 'say("a")', found: ['  say(“a”)'] },
  { strategy: 'typographic', content: 'we don’t – no\n', wanted: "don't - n", found: ['don’t – n'] },
  { strategy: 'escape-normalized', content: 'x = say("a");\n', wanted: 'say(\\"a\\")', found: ['say("a")'] },
  { strategy: 'escape-normalized', content: ' a\n b\nc\n', wanted: 'a\\nb', found: [' a\n b'] },
  {
    strategy: 'escape-normalized',
    content: 'print("a\\n")\n',
    wanted: 'print(\\"a\\n\\")',
    found: ['print("a\\n")'],
  },
  { strategy: 'trimmed-boundary', content: 'x\n a\ny', wanted: '\n\na\n\n', found: [' a'] },
  { strategy: 'trimmed-boundary', content: 'x = f(a);\n', wanted: ' f(a) ', found: ['f(a)'] },
  // The exact text occurs once; without its number it would match another line too.
  { strategy: 'trimmed-boundary', content: 'one\n1\tone\nx\n', wanted: '\n1\tone\n\n', found: ['1\tone'] },
  {
    strategy: 'block-anchor',
    content: 'begin {\naaaaaaabbb\n}\n',
    wanted: 'begin {\naaaaaaaaaa\n}',
    found: ['begin {\naaaaaaabbb\n}'],
  },
  { strategy: 'line-number-stripped', content: 'one\ntwo\n', wanted: '1\tone\n2\ttwo', found: ['one\ntwo'] },
  {
    strategy: 'line-number-stripped',
    content: ' one\n two\n',
    wanted: '\n  9→ one\n 10→ two\n\n',
    found: [' one\n two\n'],
  },
  {
    strategy: 'block-anchor',
    content: `${block}\n`,
    wanted: block.replace('const b = 2', 'const b  = 3').replace(' a + b', ' a + c'),
    found: [block],
  },
  {
    strategy: 'block-anchor',
    content: `${block}\n`,
    wanted: `\n${block.replace('  const b = 2;\n', '')}\n`,
    found: [block],
  },
  {
    strategy: 'context-aware',
    content: `${block}\n`,
    wanted: block.replace('function f()', 'function g()'),
    found: [block],
  },
])('text is found by $strategy: $wanted', ({ strategy, content, wanted, found }) => {
  const result = findText(content, wanted);
  const pieces = result?.spans.map((span) => content.slice(span.start, span.end));
  expect({ strategy: result?.strategy, pieces }).toEqual({ strategy, pieces: found });
});

test.each([
  {
    content: 'begin {\naaaaaabbbb\n}\n',
    wanted: 'begin {\naaaaaaaaaa\n}',
    why: 'less than 0.65 of what stands between is alike',
  },
  { content: 'one\ntwo\n', wanted: 'one two', why: 'lines are not joined' },
  { content: 'a\n\n\nb\n', wanted: '  \n  ', why: 'blank text is only taken literally' },
  { content: 'foo(ab)\n', wanted: 'foo(a b)', why: 'whitespace is not made from nothing between words' },
  { content: 'foobar\n', wanted: 'foo ', why: 'a word that ends in a space is no part of another' },
  { content: 'x = f() + 1;\n', wanted: 'f()\n', why: 'a line that ends in what was given is no other' },
  {
    content: 'value = 10\nvalue = 20\n',
    wanted: '10: value = 10\nvalue = 20',
    why: 'a label that stands on some lines only is text',
  },
  { content: 'one\ntwo\n', wanted: '2\tone\n1\ttwo', why: 'line numbers rise' },
  { content: 'const a = 1;\n', wanted: 'const b = 1;', why: 'a single line is not taken for one like it' },
  { content: '{\n  a\n}\n', wanted: '{\n  b\n}', why: 'the middle is not alike' },
  {
    content: `{\n${'  line\n'.repeat(8)}}\n`,
    wanted: '{\n  line\n}',
    why: 'it is grossly larger than what was looked for',
  },
])('$wanted is not found: $why', ({ content, wanted }) => {
  expect(findText(content, wanted)).toBeNull();
});

test('pieces inside each other are found once', () => {
  expect(findText('aaaa', 'aa')?.spans).toEqual([
    { start: 0, end: 2 },
    { start: 2, end: 4 },
  ]);
});

test('of several possible ends of a block, the one with the given indentation is chosen', () => {
  const inner = '  if (x) {\n    doOneThing(x);\n    doAnother(y);\n  }';
  const content = `function f() {\n${inner}\n}\n`;
  const found = findText(content, inner.replace('Another', 'Nother').replaceAll('\n  ', '\n').trim());
  expect(found?.spans.map((span) => content.slice(span.start, span.end))).toEqual([inner]);
});

test('two similar blocks are both found', () => {
  const content = `${block}\n\n${block.replace('1', '4')}\n`;
  expect(findText(content, block.replace('1', '7'))?.spans.map(({ start }) => start)).toEqual([
    0,
    block.length + 2,
  ]);
});

test('a search among twenty thousand equal lines ends without a match', () => {
  const content = '}\n'.repeat(20_000);
  expect(findText(content, `}\n${'x y z\n'.repeat(500)}}`)).toBeNull();
});

test('a tolerant match differs from the searched text only in white space', () => {
  const line = fc.constantFrom('a', ' a', '  b', 'b ', '', '\tc', 'a  b', 'f( a )', 'f(a)');
  const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));
  const bare = (value: string): string => value.replaceAll(/\s+/g, '');
  fc.assert(
    fc.property(text, text, (content, wanted) => {
      fc.pre(wanted !== '');
      const found = findText(content, wanted);
      fc.pre(found?.similar !== true);
      for (const span of found?.spans ?? []) {
        expect(bare(content.slice(span.start, span.end))).toBe(bare(wanted));
      }
    }),
    { numRuns: 500 },
  );
});

test('an approximately matching block is never much larger than the searched text', () => {
  const line = fc.constantFrom('{', '}', '  one', '  two', '  three(1)', '  three(2)', '');
  const text = fc.array(line, { minLength: 3, maxLength: 30 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (content, wanted) => {
      const found = findText(content, wanted);
      fc.pre(found?.similar === true);
      const lines = wanted.split('\n').length;
      for (const { start, end } of found?.spans ?? []) {
        const count = content.slice(start, end).split('\n').length;
        expect(count).toBeLessThanOrEqual(Math.max(lines + 3, 2 * lines));
      }
    }),
    { numRuns: 200 },
  );
});
