import { expect, test } from 'vitest';
import { codeRegions, columnOf, htmlLeftOpen, readLineStart } from '../../src/untrusted-text/code-regions.ts';
import { openingTags } from '../../src/untrusted-text/strip-markup.ts';

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
)('no code is found after an open %s', (name) => {
  expect([code(`<${name}>\n\n\`a\``, true), code(`<${name}s>\n\n\`a\``, true)]).toEqual([[], ['`a`']]);
});

test('opening tags are parsed with their attributes as written', () => {
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

test('with escaping, code is recognised after doubtful fences and stray marks', () => {
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

test.each<[line: string, ends: string | null]>([
  ['<!--', '--'],
  ['<!-- a -->', null],
  ['<!-- a --', null],
  ['<!---', '--'],
  ['<!-- --> <!--', '--'],
  ['<![CDATA[', '>'],
  ['<![cdata[ a', '>'],
  ['<![CDATA[ > x', null],
  ['<?a', '?>'],
  ['<?a ?>', null],
  ['<?', '?>'],
  ['<?>', '?>'],
  ['<!a', '>'],
  ['<!A >', null],
  ['<!1', null],
  ['<script', '</script'],
  ['<script>', '</script'],
  ['<SCRIPT></SCRIPT>', null],
  ['<script> </script><pre>', '</pre'],
  ['<scripts>', null],
  ['<style', '</style'],
  ['<textarea ', '</textarea'],
  ['<pre/', '</pre'],
  ['<template', '</template'],
  ['<title', '</title'],
  ['<noscript', '</noscript'],
  ['<iframe', '</iframe'],
  ['<math', '</math'],
  ['<svg', '</svg'],
  ['<div>', null],
  ['<pre> a </PRE', null],
  ['</pre> <pre>', '</pre'],
  ['<!-- <pre> -->', '</pre'],
  ['<pre> <!-- </pre>', '--'],
  ['<pre <!--', '--'],
  ['--> <!--', '--'],
  ['<!-->', '--'],
  ['<!--->', '--'],
  ['<!a <?b ?>', null],
  ['<? <!a', '>'],
])('the HTML left open by %j ends with %j', (line, ends) => {
  expect(htmlLeftOpen(line)).toBe(ends);
});

/** The mark of a fence (`?` where it may be none), the column and the place it stands at, and the items that are open. */
function start(line: string, open: readonly number[], afterBlank: boolean) {
  const { items, mark, column, at, doubtful } = readLineStart(line, open, afterBlank);
  return [`${mark ?? 'none'}${doubtful ? '?' : ''} ${column} ${at}`, items];
}

test.each<[line: string, open: number[], afterBlank: boolean, start: string, items: number[]]>([
  ['', [], true, 'none? 0 0', []],
  ['   a', [], true, 'none? 3 3', []],
  ['\ta', [], true, 'none? 4 0', []],
  [' \ta', [], true, 'none? 4 1', []],
  ['    \ta', [], true, 'none? 8 4', []],
  ['- a', [], true, 'none? 2 2', [2]],
  ['* a', [], true, 'none? 2 2', [2]],
  ['+ a', [], true, 'none? 2 2', [2]],
  ['-a', [], true, 'none? 0 0', []],
  ['-', [], true, 'none? 0 0', []],
  ['- ', [], true, 'none? 0 0', []],
  ['-    a', [], true, 'none? 5 5', [5]],
  ['-     a', [], true, 'none? 0 0', []],
  ['1. a', [], true, 'none? 3 3', [3]],
  ['1) a', [], true, 'none? 3 3', [3]],
  ['123456789. a', [], true, 'none? 11 11', [11]],
  ['1234567890. a', [], true, 'none? 0 0', []],
  ['2. a', [], false, 'none? 0 0', []],
  ['1. a', [], false, 'none? 3 3', [3]],
  ['- a', [], false, 'none? 2 2', [2]],
  ['2. a', [], true, 'none? 3 3', [3]],
  ['2. a', [2], false, 'none? 3 3', [3]],
  ['  2. a', [2], false, 'none? 2 2', [2]],
  ['- - a', [], true, 'none? 4 4', [2, 4]],
  ['- 2. a', [], false, 'none? 5 5', [2, 5]],
  ['   - a', [], true, 'none? 5 5', [5]],
  ['    - a', [], true, 'none? 4 4', []],
  ['     - a', [2], true, 'none? 7 7', [2, 7]],
  ['      - a', [2], true, 'none? 6 6', [2]],
  ['  a', [2], true, 'none? 2 2', [2]],
  [' a', [2], true, 'none? 1 1', []],
  ['   a', [2, 4], true, 'none? 3 3', [2]],
  ['    a', [2, 4], true, 'none? 4 4', [2, 4]],
  ['- - -', [], true, 'none? 0 0', []],
  ['***', [], true, 'none? 0 0', []],
  ['**', [], true, 'none? 0 0', []],
  ['* * a', [], true, 'none? 4 4', [2, 4]],
  ['_ _ _ ', [], true, 'none? 0 0', []],
  ['- - - a', [], true, 'none? 6 6', [2, 4, 6]],
  ['-\t-\t-', [], true, 'none? 0 0', []],
  ['- * * *', [], true, 'none? 2 2', [2]],
  ['-*-', [], true, 'none? 0 0', []],
  ['```', [], true, '``` 0 0', []],
  ['``', [], true, 'none? 0 0', []],
  ['````', [], true, '```` 0 0', []],
  ['~~~', [], true, '~~~ 0 0', []],
  ['~~', [], true, 'none? 0 0', []],
  ['```a', [], true, '``` 0 0', []],
  ['```a`', [], true, 'none? 0 0', []],
  ['~~~a`', [], true, '~~~ 0 0', []],
  ['   ```', [], true, '``` 3 3', []],
  ['    ```', [], true, '```? 4 4', []],
  ['- ```', [], true, '``` 2 2', [2]],
  ['-  ~~~~ x', [], true, '~~~~ 3 3', [3]],
  ['> ```', [], true, 'none? 0 0', []],
  ['>```', [], true, 'none? 0 0', []],
  ['>', [], true, 'none? 0 0', []],
  ['a```', [], true, 'none? 0 0', []],
  ['1.```', [], true, '```? 0 0', []],
  ['1)  ```', [], true, '``` 4 4', [4]],
  ['2. ```', [], false, '```? 0 0', []],
  ['[^a]: ```', [], true, '```? 0 0', []],
  ['[^a]:```', [], true, '```? 0 0', []],
  ['[a]: ```', [], true, 'none? 0 0', []],
  ['x ~~~', [], true, 'none? 0 0', []],
  ['+~~~', [], true, '~~~? 0 0', []],
  ['*```', [], true, '```? 0 0', []],
  ['-```', [], true, '```? 0 0', []],
  ['     ```', [2], true, '``` 5 5', [2]],
  ['      ```', [2], true, '```? 6 6', [2]],
  ['\t```', [4], true, '```? 4 0', [4]],
  ['\t```', [], true, '```? 4 0', []],
  ['1234567890.```', [], true, 'none? 0 0', []],
  ['```a` ~~~', [], true, 'none? 0 0', []],
  ['-\u00a0```', [], true, '```? 0 0', []],
])('the line %j, with items open at %j and after a blank line: %j', (line, open, afterBlank, ...rest) => {
  expect(start(line, open, afterBlank)).toEqual(rest);
});

test('items deeper than twenty are not followed', () => {
  const columns = Array.from({ length: 20 }, (_, at) => 2 * at + 2);
  expect([start(`${'- '.repeat(20)}\`\`\``, [], true), start(`${'- '.repeat(21)}\`\`\``, [], true)]).toEqual([
    ['``` 40 40', columns],
    ['```? 40 40', columns],
  ]);
});

test('a tab leads to the next column of four', () => {
  const lines = ['', 'a', ' a', '\t', ' \t', '   \t', '    \ta', '\t ', '\u00a0 a', 'a  '];
  expect(lines.map(columnOf)).toEqual([0, 0, 1, 4, 4, 4, 8, 5, 0, 0]);
});
