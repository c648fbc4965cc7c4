import { expect, test } from 'vitest';
import { decodeAll } from '../../src/untrusted-text/decode-all.ts';

test.each([
  ['a & b &c', 'a & b &c'],
  ['&lt;&#64;', '<@'],
  ['&amp;lt;', '<'],
  ['&amp;#38;amp;#64;', '@'],
  ['&AMP;#64;', '@'],
  ['&#0038;#64;', '@'],
  ['&#x26;#x26;#64;', '@'],
  ['&#X0026;#64;', '@'],
  ['&a&#109;p;lt;', '<'],
  [
    '&#96;&#126;&#x60;&#x7e;&#X7E;&grave;&DiacriticalGrave;&#096',
    '&#96;&#126;&#x60;&#x7e;&#X7E;&grave;&DiacriticalGrave;&#096',
  ],
  ['&lt;&#96;&gt;', '<&#96;>'],
  ['&amp;#96;', '&#96;'],
  ['&amp; b', '& b'],
])('%j becomes %j', (text, expected) => {
  expect(decodeAll(text)).toBe(expected);
});

/** `&commat;` of which a character is a reference, of which one is, and so on: each look at the text undoes one. */
function nested(references: number): string {
  let text = '&commat;';
  for (let made = 1; made < references; made++)
    text = text.includes('#')
      ? text.replace('#', '&num;')
      : text.replace('at;', 'a&#116;;').replace('num;', 'nu&#109;;');
  return text;
}

test('a text nested deeper than twelve loses its `&`', () => {
  expect([nested(4), ...[4, 12, 13].map((depth) => decodeAll(nested(depth)))]).toEqual([
    '&comma&&nu&#109;;116;;',
    '@',
    '@',
    'commat;',
  ]);
});
