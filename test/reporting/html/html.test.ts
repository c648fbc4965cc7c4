import { expect, test } from 'vitest';
import { brief } from '../../../src/reporting/html/html.ts';

test.each([
  ['', 5, ''],
  ['a\n\n b', 5, 'a b'],
  ['abcde', 5, 'abcde'],
  ['abcdef', 5, 'abcde…'],
  ['<b>', 5, '&lt;b&gt;'],
  ['abcd😀', 5, 'abcd…'],
  ['abcd😀', 6, 'abcd😀'],
  [`a${' '.repeat(18)}b`, 5, 'a b'],
  [`a${' '.repeat(19)}b`, 5, 'a…'],
])('renders %j within %i characters as %j', (text, length, shown) => {
  expect(brief(text, length).html).toBe(shown);
});

test('does not lengthen a text by spelled-out characters', () => {
  const { html } = brief('\u202e'.repeat(40), 40);
  expect([html.endsWith('…'), Buffer.byteLength(html) <= 40 * 3 + 3]).toEqual([true, true]);
});
