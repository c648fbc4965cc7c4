import { expect, test } from 'vitest';
import { showDirections } from '../../src/contract/untrusted.ts';

test.each([
  ['plain \u001b[31mred\u001b[0m', 'plain \u001b[31mred\u001b[0m'],
  ['\u202egpj.exe', '\\u202egpj.exe'],
  ['\u202a\u202b\u202c\u202d\u202e', '\\u202a\\u202b\\u202c\\u202d\\u202e'],
  ['\u2066\u2067\u2068\u2069', '\\u2066\\u2067\\u2068\\u2069'],
  ['\u2029\u202f\u2065\u206a', '\u2029\u202f\u2065\u206a'],
  // Marks beside letters of scripts that need them.
  ['\u200e\u200f\u061c', '\u200e\u200f\u061c'],
])('%j is displayed as %j', (text, displayed) => {
  expect(showDirections(text)).toBe(displayed);
});

test('JSON stays JSON of the same value', () => {
  const value = { a: ['\u202egpj.exe'], '\u2066b': 'x' };
  expect(JSON.parse(showDirections(JSON.stringify(value)))).toEqual(value);
});
