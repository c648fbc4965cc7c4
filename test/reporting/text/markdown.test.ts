import fc from 'fast-check';
import { marked } from 'marked';
import { expect, test } from 'vitest';
import {
  closedMarkdown,
  codeBlock,
  codeSpan,
  countOf,
  cutMarkdown,
  cutText,
  foldedSection,
  listed,
  oneLine,
  sentence,
  uncutCode,
} from '../../../src/reporting/text/markdown.ts';

test('renders any text as a code span', () => {
  expect([codeSpan('a'), codeSpan('a`b'), codeSpan('`a`'), codeSpan('a\nb  c'), codeSpan(' ')]).toEqual([
    '`a`',
    '``a`b``',
    '`` `a` ``',
    '`a b c`',
    '',
  ]);
});

test('renders any text as one code block', () => {
  const line = fc.constantFrom('```', '````suggestion', 'text', '', '~~~', '    ```', '`');
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), (lines) => {
      const tokens = marked.lexer(codeBlock(lines.join('\n'), 'diff'));
      expect(tokens.map((token) => [token.type, token.type === 'code' ? token.lang : null])).toEqual([
        ['code', 'diff'],
      ]);
    }),
  );
});

test('closes what a text leaves open', () => {
  expect([
    closedMarkdown('a\n```js\nb'),
    closedMarkdown('````\n```\nx'),
    closedMarkdown('```\na\n```\nb'),
    closedMarkdown('<details><summary>s</summary>\n\nx'),
    closedMarkdown('``` not a fence ` here'),
  ]).toEqual([
    'a\n```js\nb\n```',
    '````\n```\nx\n````',
    '```\na\n```\nb',
    '<details><summary>s</summary>\n\nx\n\n</details>',
    '``` not a fence ` here',
  ]);
});

test('cuts a text to the requested length, never within a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, length) => {
      const cut = cutText(text, length, '…');
      expect(cut.length <= length || cut === text).toBe(true);
      expect(cut.isWellFormed()).toBe(true);
    }),
  );
});

test('replaces white space of any kind by one space', () => {
  expect(oneLine('  a\r\n\tb\u00a0c ')).toBe('a b c');
});

test('cuts to exactly the length, including the note', () => {
  expect([
    cutText('abcdef', 6, '…'),
    cutText('abcdef', 5, '…'),
    cutText('abcdef', 2, '[cut]'),
    cutText('ab😀cd', 4, '…'),
    cutText('ab😀cd', 5, '…'),
    cutText('a\ud83d\ude00\ud83d\ude00', 4, ''),
    cutText('ab\uffff\uffffab', 4, '…'),
    cutText('a\u{10000}b', 2, ''),
    cutText('a\u{10ffff}b', 2, ''),
  ]).toEqual(['abcdef', 'abcd…', '[c', 'ab…', 'ab😀…', 'a😀', 'ab\uffff…', 'a', 'a']);
});

test('lists as many names as fit the budget, none cut', () => {
  expect([
    listed(['a', 'b'], 8),
    listed(['a', 'b'], 7),
    listed(['abc', 'b'], 4),
    listed(['a', '`'], 20),
    listed([], 0),
  ]).toEqual(['`a`, `b`', '`a`, …', '…', '`a`, `` ` ``', '']);
});

test('uses a longer fence, enough backticks, and blank lines in folds', () => {
  expect([
    codeBlock(''),
    codeBlock('a\n'),
    codeBlock('a'),
    codeBlock('`````', 'diff'),
    codeSpan('a``b`'),
    codeSpan('`'),
    codeSpan('\u202ea'),
    foldedSection('a', 'b'),
  ]).toEqual([
    '```\n```',
    '```\na\n```',
    '```\na\n```',
    '``````diff\n`````\n``````',
    '``` a``b` ```',
    '`` ` ``',
    '`U+202E a`'.replace('U+202E ', '\\u202e'),
    '<details><summary>a</summary>\n\nb\n\n</details>',
  ]);
});

test('cuts before half a code span, and closes what it leaves open', () => {
  expect([
    cutMarkdown('abc', 3, '…'),
    cutMarkdown('a `b` c', 6, '…'),
    cutMarkdown('`a`\nbcdef', 7, '…'),
    cutMarkdown('<details>\n\nabcdef', 14, '…'),
    cutMarkdown('~~~\nabcdef', 7, '…'),
    uncutCode('a `b` c'),
    uncutCode('`a`\nb'),
    uncutCode('a\n`b'),
    uncutCode('`'),
  ]).toEqual([
    'abc',
    'a …',
    '`a`\nbc…',
    '<details>\n\nab…\n\n</details>',
    '~~~\nab…\n~~~',
    ...['a ', '`a`\nb', 'a\n', ''],
  ]);
});

test('ignores folded sections within code, and closes each open one', () => {
  expect([
    closedMarkdown('<details>a</details> <DETAILS open> <details>b</details >'),
    closedMarkdown('`<details>` <details>x `</details>`'),
    closedMarkdown('</details>'),
    closedMarkdown('<details><details>'),
    closedMarkdown('<detailsx>'),
    closedMarkdown('```'),
  ]).toEqual([
    '<details>a</details> <DETAILS open> <details>b</details >\n\n</details>',
    '`<details>` <details>x `</details>`\n\n</details>',
    '</details>',
    '<details><details>\n\n</details>\n\n</details>',
    '<detailsx>',
    '```\n```',
  ]);
});

test('pluralises counts, and ends sentences', () => {
  expect([
    [0, 1, 2].map((count) => countOf(count, 'file')),
    countOf(2, 'entry', 'entries'),
    ['', 'a', 'a.', 'a!', 'a?', 'a…', 'a:', 'a.b', 'a,'].map(sentence),
  ]).toEqual([
    ['0 files', '1 file', '2 files'],
    '2 entries',
    ['', 'a.', 'a.', 'a!', 'a?', 'a…', 'a:', 'a.b.', 'a,.'],
  ]);
});
