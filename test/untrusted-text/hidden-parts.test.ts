import { expect, test } from 'vitest';
import { sanitise } from '../../src/untrusted-text/sanitise.ts';

/** Gives the text without its hidden parts, and the kind of each part; `!` marks an alarming one. */
function seen(text: string): string[] {
  const clean = sanitise(text);
  return [clean.text, ...clean.hidden.map(({ kind, alarming }) => `${alarming ? '!' : ''}${kind}`)];
}

const notShown =
  'script style template noscript iframe object svg math title textarea head datalist audio video canvas rp';

test.each(notShown.split(' '))('the element %s is taken out with what it holds', (name) => {
  expect(seen(`a<${name.toUpperCase()} x>hidden</${name}>b`)).toEqual([
    'ab',
    '!HTML element that is not shown',
  ]);
});

test.each('source track meta link base input embed param'.split(' '))('the tag %s is taken out', (name) => {
  expect(seen(`a<${name} x="hidden">b`)).toEqual(['ab', 'HTML tag that is not shown']);
});

const hidden = '!hidden HTML element';
const small = 'image too small to be seen';
const formula = '!formula in the colour of the page';
const comment = '!Markdown comment';

test.each<[text: string, ...seen: string[]]>([
  ['a<!-- x -->b', 'ab', 'HTML comment'],
  ['a<!-- x --!>b', 'ab', 'HTML comment'],
  ['a<!-- x', 'a', 'HTML comment'],
  ['a<!doctype x>b', 'ab', '!HTML declaration'],
  ['a<![CDATA[x]]>b', 'ab', '!HTML declaration'],
  ['a<!x', 'a', '!HTML declaration'],
  ['a<?x y?>b', 'ab', '!processing instruction'],
  ['a<?x', 'a', '!processing instruction'],
  ['a<script>x', 'a', '!HTML element that is not shown'],
  ['a<meta x', 'a', 'HTML tag that is not shown'],
  ['a<p hidden>x</p>b', 'ab', hidden],
  ['a<p hidden="">x</p>b', 'ab', hidden],
  ['a<p style="display: none">x</p>b', 'ab', hidden],
  ['a<p style="visibility:hidden">x</p>b', 'ab', hidden],
  ['a<p style="opacity:0">x</p>b', 'ab', hidden],
  ['a<p style="opacity: 0.0">x</p>b', 'ab', hidden],
  ['a<p style="font-size:0px">x</p>b', 'ab', hidden],
  ["a<p style='color:white'>x</p>b", 'ab', hidden],
  ['a<p style=color:transparent>x</p>b', 'ab', hidden],
  ['a<p style="color: #fff">x</p>b', 'ab', hidden],
  ['a<font color="white">x</font>b', 'ab', hidden],
  ['a<font color=#ffffff>x</font>b', 'ab', hidden],
  ['a<font color=transparent>x\n\nb', 'ab', hidden],
  ['a<p hidden>x', 'a', hidden],
  ['a<img src="x" width="1">b', 'ab', small],
  ['a<img height=0 src=x>b', 'ab', small],
  ["a<img width='1px' src=x>b", 'ab', small],
  ['$\\color{white}{x}$', '$$', formula],
  ['$\\textcolor{#fff}{x}$', '$$', formula],
  ['$\\color{transparent}x$', '$$', formula],
  ['$\\color{#fefefe}x$', '$$', formula],
  ['$\\color{#0d1117}x$', '$$', formula],
  ['$\\color{rgb(255, 255, 255)}x$', '$$', formula],
  ['$\\color{rgba(255,255,255,1)}x$', '$$', formula],
  ['$\\phantom{x}$', '$$', formula],
  ['$\\hphantom{x}$', '$$', formula],
  ['$\\vphantom{x}$', '$$', formula],
  ['$\\color[rgb]{1,1,1}x$', '$$', formula],
  ['[//]: # (x)\na', '\na', comment],
  ['[#]: x\na', '\na', comment],
  ['[comment]: x\na', '\na', comment],
  ['> []: x\n  y\na', '\na', comment],
  ['a data:text/plain;base64,eHk= b', 'a  b', 'data URL'],
  ['a data:,x b', 'a  b', 'data URL'],
])('of %j there is left and told: %j %j', (text, ...rest) => {
  expect(seen(text)).toEqual(rest);
});

test.each([
  'a <b>x</b> c',
  'a <img src="x" width="10">b',
  'metadata: x, y',
  '$\\color{red}{x}$',
  'a < b and c > d',
  'a <!- b',
])('%j is left as it is', (text) => {
  expect(seen(text)).toEqual([text]);
});
