import { expect, test } from 'vitest';
import { codeRegions } from '../../src/untrusted-text/code-regions.ts';
import { openingTags } from '../../src/untrusted-text/html-tags.ts';

/** The parts of a text that are code beyond doubt. */
const code = (text: string, html: boolean) =>
  codeRegions(text, { html }).map(({ start, end }) => text.slice(start, end));

test.each<[text: string, inOurs: string[], inTheirs: string[]]>([
  ['a `b` c `` d ` e ``', ['`b`', '`` d ` e ``'], ['`b`', '`` d ` e ``']],
  ['a `b', [], []],
  ['a `b\nc` `d`', [], []],
  ['a `b\n\n`c`', ['`c`'], ['`c`']],
  ['a \\`b` `c`', [], []],
  ['| `a` |', ['`a`'], ['`a`']],
  ['|-|\n|`a|b`| `c`', [], []],
  ['a `b|c`', ['`b|c`'], []],
  ['[a]: `b`', [], []],
  ['```\na\n```\n`b`', ['a\n', '`b`'], ['a\n', '`b`']],
  ['```js\na\n````  \nb', ['a\n'], ['a\n']],
  ['````\na\n```\nb\n````', ['a\n```\nb\n'], ['a\n```\nb\n']],
  ['~~~ x`y\na\n~~~', ['a\n'], ['a\n']],
  ['~~~\na\n```\n~~~', ['a\n```\n'], ['a\n```\n']],
  ['``` x`y\na\n```', [], []],
  ['x\n```\na\n```', ['a\n'], ['a\n']],
  ['<p>\n```\na\n```\n\n```\nb\n```', ['a\n', 'b\n'], []],
  ['x\n\n```\na\n```', ['a\n'], ['a\n']],
  [' ```\n a\n ```', [' a\n'], [' a\n']],
  [' ```\na\n ```', [], []],
  ['    ```\na\n```\n`b`', [], []],
  ['- a\n  ```\n  b\n  ```\n`c`', ['  b\n', '`c`'], ['  b\n', '`c`']],
  ['1. a\n   - b\n\n     ```\n     c\n     ```', ['     c\n'], ['     c\n']],
  ['2. ```\n   a\n   ```', ['   a\n'], ['   a\n']],
  ['x\n2. a\n   ```\n   b\n   ```', ['   b\n'], ['   b\n']],
  ['x\n20. a\n    ```\n    b\n    ```', [], []],
  ['- a\n  ```\n```\nb\n```', [], []],
  ['* * *\n    ```\n    a\n    ```', [], []],
  ['> ```\n> a\n\n`b`', ['`b`'], ['`b`']],
  ['a\u00a0`\n\u00a0\n`b`', [], []],
  ['```\ra\r```\r`b`', ['a\r', '`b`'], ['a\r', '`b`']],
  ['https://a.test/`b` $`c`$', [], []],
  ['a `b`\n\n$`c $d`', ['`b`'], ['`b`']],
  ['```\na\n    ```\n```', ['a\n    ```\n'], ['a\n    ```\n']],
  ['```\n```\nx', [''], ['']],
  ['```\na', ['a'], []],
  [' ```\n a', [], []],
  ['```', [], []],
  ['```\r\na\n```\r\n', ['a\n'], ['a\n']],
  ['<b>x</b> `a`', ['`a`'], []],
  ['<!-- x `a`\n`b` -->\n\n`c`', ['`a`', '`b`', '`c`'], ['`c`']],
  ['<!-- x\n\n`a`', ['`a`'], []],
  ['<pre>\n\n`a`\n</PRE>\n\n`b`', ['`a`', '`b`'], ['`b`']],
  ['<?x\n\n`a` ?>\n\n`b`', ['`a`', '`b`'], ['`b`']],
  ['<!x\n\n`a` >\n\n`b`', ['`a`', '`b`'], ['`b`']],
  ['<pre>x</pre>\n\n`b`', ['`b`'], ['`b`']],
  ['a < b `c`', ['`c`'], ['`c`']],
])('code of %j: ours %j, of others %j', (text, inOurs, inTheirs) => {
  expect([code(text, false), code(text, true)]).toEqual([inOurs, inTheirs]);
});

test.each(
  'script style textarea pre template title noscript iframe math svg'.split(' '),
)('behind an open %s nothing is code', (name) => {
  expect([code(`<${name}>\n\n\`a\``, true), code(`<${name}s>\n\n\`a\``, true)]).toEqual([[], ['`a`']]);
});

test('opening tags are read with their attributes as they are written', () => {
  const text = '<A href="x>y" data-b=\'c\' d=e f />z</a> <b> <c-d\n e> <1> < f> <g h="i> <j>';
  expect(openingTags(text).map(({ start, end, ...tag }) => [text.slice(start, end), tag])).toEqual([
    [
      '<A href="x>y" data-b=\'c\' d=e f />',
      {
        name: 'a',
        slash: '/',
        attributes: [
          { name: 'href', value: '"x>y"', text: ' href="x>y"' },
          { name: 'data-b', value: "'c'", text: " data-b='c'" },
          { name: 'd', value: 'e', text: ' d=e' },
          { name: 'f', value: '', text: ' f' },
        ],
      },
    ],
    ['<b>', { name: 'b', slash: '', attributes: [] }],
    ['<c-d\n e>', { name: 'c-d', slash: '', attributes: [{ name: 'e', value: '', text: '\n e' }] }],
    ['<j>', { name: 'j', slash: '', attributes: [] }],
  ]);
});

test('whoever escapes what is no code reads on behind a fence in doubt, and behind a stray mark', () => {
  const escaping = (text: string) =>
    codeRegions(text, { html: false, escaping: true }).map(({ start, end, open }) => [
      text.slice(start, end),
      open,
    ]);
  expect([
    escaping('- a\n  ```\nb\n\n```\nc\n```\n`d`'),
    escaping('a ` `` b ``\n`c`'),
    escaping('~~~~\na'),
    escaping('    ```\n`a`'),
  ]).toEqual([
    [
      ['c\n', null],
      ['`d`', null],
    ],
    [
      ['`` b ``', null],
      ['`c`', null],
    ],
    [['a', '~~~~']],
    [['`a`', null]],
  ]);
});
