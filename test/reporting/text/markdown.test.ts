import fc from 'fast-check';
import { marked } from 'marked';
import { expect, test } from 'vitest';
import {
  closedMarkdown,
  codeBlock,
  codeSpan,
  cutText,
  oneLine,
} from '../../../src/reporting/text/markdown.ts';

test('A code span holds any text without ending early.', () => {
  expect([codeSpan('a'), codeSpan('a`b'), codeSpan('`a`'), codeSpan('a\nb  c'), codeSpan(' ')]).toEqual([
    '`a`',
    '``a`b``',
    '`` `a` ``',
    '`a b c`',
    '',
  ]);
});

test('A code block is one code block whatever stands in it.', () => {
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

test('What a foreign text leaves open is closed behind it.', () => {
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

test('A cut text is never longer than asked and never holds half a character.', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, length) => {
      const cut = cutText(text, length, '…');
      expect(cut.length <= length || cut === text).toBe(true);
      expect(cut.isWellFormed()).toBe(true);
    }),
  );
});

test('White space of any kind becomes one space.', () => {
  expect(oneLine('  a\r\n\tb\u00a0c ')).toBe('a b c');
});
