import { expect, test } from 'vitest';
import { openingTags } from '../../src/untrusted-text/html-tags.ts';

/** Each tag as it stands there, its name, its attributes and its slash. */
const tags = (text: string) =>
  openingTags(text).map(({ start, end, name, attributes, slash }) => [
    text.slice(start, end),
    name,
    ...attributes.map((one) => `${one.name}=${one.value}`),
    slash,
  ]);

test.each<[text: string, found: readonly (readonly string[])[]]>([
  [
    'a <B> c <br/> </b>',
    [
      ['<B>', 'b', ''],
      ['<br/>', 'br', '/'],
    ],
  ],
  ['<b >', [['<b >', 'b', '']]],
  ['<x-y />', [['<x-y />', 'x-y', '/']]],
  [
    '<a HREF="x y" b=\'c"\' d = e f>',
    [['<a HREF="x y" b=\'c"\' d = e f>', 'a', 'href="x y"', "b='c\"'", 'd=e', 'f=', '']],
  ],
  ['<a\n_b:c.d-@=1\n>', [['<a\n_b:c.d-@=1\n>', 'a', '_b:c.d-@=1', '']]],
  ['<a b="<c>">', [['<a b="<c>">', 'a', 'b="<c>"', '']]],
  ['<a b="c> <d>', [['<d>', 'd', '']]],
  ["<a b='c> <d>", [['<d>', 'd', '']]],
  ['<a b=c"d> <e>', [['<e>', 'e', '']]],
  ['<a 1b> <c>', [['<c>', 'c', '']]],
  ['<a"b"> <1> < c> <d', []],
  ['<a / > <b>', [['<b>', 'b', '']]],
  ['<a b="c"d="e">', []],
  ['<a b="c"><d e="f>', [['<a b="c">', 'a', 'b="c"', '']]],
  ["<a b='c'>", [["<a b='c'>", 'a', "b='c'", '']]],
  ['<a b=cd>', [['<a b=cd>', 'a', 'b=cd', '']]],
  ['<a b="">', [['<a b="">', 'a', 'b=""', '']]],
])('the tags of %j', (text, found) => {
  expect(tags(text)).toEqual(found);
});

test('a tag with more than a hundred attributes is none', () => {
  const tagOf = (count: number) => `<a${' b'.repeat(count)}>`;
  expect([tags(tagOf(100)).length, tags(tagOf(101)).length]).toEqual([1, 0]);
});
