import { expect, test } from 'vitest';
import { createLiteralSearch } from '../../src/redaction/literal-search.ts';

const found = (literals: readonly string[], text: string) => {
  const places: [number, number][] = [];
  createLiteralSearch(literals)(text, (at, literal) => places.push([at, literal]));
  return places.sort(([a, one], [b, other]) => a - b || one - other);
};

/** The same, by a look at each place. */
const looked = (literals: readonly string[], text: string) =>
  Array.from({ length: text.length }, (_, at) => at).flatMap((at) =>
    literals.flatMap((literal, index) => (text.startsWith(literal, at) ? [[at, index]] : [])),
  );

const lists = [
  ['abc'],
  ['abc', 'bcd', 'abcd', 'abc'],
  ['aaa', 'aab'],
  ['abcde', 'xyzab', 'deabc'],
  ['x'.repeat(64), `${'x'.repeat(70)}y`],
  ['x'.repeat(65)],
  ['äöü', '😀a', 'ab\0'],
];
const texts = [
  '',
  'ab',
  'abc',
  'abcd',
  'xabcabcdx',
  'aaaaab',
  'xyzabcdeabcde',
  `${'x'.repeat(200)}y${'x'.repeat(64)}`,
  'ö äöü😀ab\0äöü',
  'cba bca',
];

test('every literal is found at each of its positions, also where they overlap', () => {
  for (const literals of lists)
    expect(texts.map((text) => found(literals, text))).toEqual(texts.map((text) => looked(literals, text)));
});

test('hundreds of literals are found', () => {
  const many = Array.from({ length: 300 }, (_, index) => `k${(index * 7919).toString(36)}_${index}`);
  const text = many.join(' ');
  expect(found(many, text)).toEqual(looked(many, text));
});

test('no literal is found in an empty list, and none may be too short', () => {
  expect(found([], 'abc')).toEqual([]);
  expect(() => createLiteralSearch(['abc', 'ab'])).toThrow(
    'A literal to search for has fewer than 3 characters.',
  );
});
