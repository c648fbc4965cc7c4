import { expect, test } from 'vitest';
import { decodeEntities } from '../../src/untrusted-text/decode-entities.ts';

test('each name that can spell markup or hidden text is decoded', () => {
  const references =
    'lt LT gt GT amp AMP quot QUOT apos excl num dash hyphen lpar rpar lbrack lsqb rbrack rsqb colon sol bsol equals grave commat nbsp NewLine Tab shy zwj zwnj lrm rlm ZeroWidthSpace NoBreak InvisibleTimes InvisibleComma';
  const decoded = references.split(' ').map((name) => decodeEntities(`&${name};`));
  expect(decoded).toEqual([
    ...[
      '<',
      '<',
      '>',
      '>',
      '&',
      '&',
      '"',
      '"',
      "'",
      '!',
      '#',
      '\u2010',
      '\u2010',
      '(',
      ')',
      '[',
      '[',
      ']',
      ']',
    ],
    ...[':', '/', '\\', '=', '`', '@', ' ', '\n', '\t', '\u00ad', '\u200d', '\u200c', '\u200e', '\u200f'],
    ...['\u200b', '\u2060', '\u2062', '\u2063'],
  ]);
});

test.each([
  ['&#65;&#66 &#x43;&#X44', 'AB CD'],
  ['&#0; &#x0; &#1;', '\ufffd \ufffd \u0001'],
  ['&#xd7ff;&#xd800;&#xdfff;&#xe000;', '\ud7ff\ufffd\ufffd\ue000'],
  ['&#x10ffff; &#x110000; &#1114112;', '\u{10ffff} \ufffd \ufffd'],
  ['&#9999999999;', '\ufffd'],
  ['&lt &eacute; &toString; &Lt; &#; &#x; a&b;', '&lt &eacute; &toString; &Lt; &#; &#x; a&b;'],
  ['&amp;lt;', '&lt;'],
])('%j becomes %j', (text, decoded) => {
  expect(decodeEntities(text)).toBe(decoded);
});
