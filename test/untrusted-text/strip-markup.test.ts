import { expect, test } from 'vitest';
import { sanitise } from '../../src/untrusted-text/sanitise.ts';
import {
  openingTags,
  stripDefinitions,
  stripTags,
  stripTitles,
  type TakeOut,
} from '../../src/untrusted-text/strip-markup.ts';

/** Gives the text without its hidden parts, and the kind of each part; `!` marks an alarming one. */
function seen(text: string): string[] {
  const clean = sanitise(text);
  return [clean.text, ...clean.hidden.map(({ kind, alarming }) => `${alarming ? '!' : ''}${kind}`)];
}

const notShown =
  'script style template noscript iframe object svg math title textarea head datalist audio video canvas rp';

test.each(notShown.split(' '))('the element %s is removed with its content', (name) => {
  expect(seen(`a<${name.toUpperCase()} x>hidden</${name}>b`)).toEqual([
    'ab',
    '!HTML element that is not shown',
  ]);
});

test.each('source track meta link base input embed param'.split(' '))('the tag %s is removed', (name) => {
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
])('%j becomes, with reports: %j %j', (text, ...rest) => {
  expect(seen(text)).toEqual(rest);
});

test.each([
  'a <b>x</b> c',
  'a <img src="x" width="10">b',
  'metadata: x, y',
  '$\\color{red}{x}$',
  'a < b and c > d',
  'a <!- b',
])('%j stays unchanged', (text) => {
  expect(seen(text)).toEqual([text]);
});

/** What is left of a text, and what was taken out of it; `!` marks what is alarming. */
function left(strip: (text: string, takeOut: TakeOut) => string, text: string): string[] {
  const taken: string[] = [];
  const rest = strip(text, (kind, part, alarming) => {
    taken.push(`${alarming ? '!' : ''}${kind}: ${part}`);
    return '';
  });
  return [rest, ...taken];
}

const shown =
  'href src width height align valign colspan rowspan open start type checked disabled dir border color size';

test.each(shown.split(' '))('the attribute %s is visible, and similar names are not', (name) => {
  expect(left(stripTags, `<a ${name}=x ${name}s=y x${name}>`)).toEqual([
    `<a ${name}=x>`,
    `HTML attribute:  ${name}s=y`,
    `HTML attribute:  x${name}`,
  ]);
});

test.each<[text: string, left: string, ...taken: string[]]>([
  [
    '<IMG SRC=a ALT="b" TITLE=c />d',
    '<IMG SRC=a/>d',
    'alternative text:  ALT="b"',
    'HTML attribute:  TITLE=c',
  ],
  ['<b>a</b>', '<b>a</b>'],
  ['<br />a<a href="b" >c</a>', '<br />a<a href="b" >c</a>'],
  ['<abcdefghijklmnopqrst a=b>', '<abcdefghijklmnopqrst>', 'HTML attribute:  a=b'],
  ['<abcdefghijklmnopqrstu>', '', '!unknown HTML tag: <abcdefghijklmnopqrstu>'],
  ['<a-b>c', 'c', '!unknown HTML tag: <a-b>'],
  ['a<b c>d<e f>g', 'a<b>d<e>g', 'HTML attribute:  c', 'HTML attribute:  f'],
])('the tags in %j become %j', (text, ...rest) => {
  expect(left(stripTags, text)).toEqual(rest);
});

const title = (text: string) => `title of a link: ${text}`;
const alternative = (text: string) => `alternative text: ${text}`;

test.each<[text: string, left: string, ...taken: string[]]>([
  ['![a](b)', '![](b)', alternative('a')],
  ['![a][b]', '![][b]', alternative('a')],
  ['![a] (b)', '![a] (b)'],
  ['![a[b]c](d)', '![](d)', alternative('a[b]c')],
  ['![a\\]b](c)', '![](c)', alternative('a\\]b')],
  ['![a[b[c]](d)', '![a[b[c]](d)'],
  ['![](a)', '![](a)', alternative('')],
  ['x![a\nb](c)', 'x![](c)', alternative('a\nb')],
  ['x![a\\\nb](c)', 'x![](c)', alternative('a\\\nb')],
  ['![a](b "c")', '![](b)', alternative('a'), title('c')],
  ['[a](b\n"c")', '[a](b)', title('c')],
  ["[a](b 'c\"d')", '[a](b)', title('c"d')],
  ['[a](b (c))', '[a](b)', title('c')],
  ['[a]( b "c" )', '[a]( b)', title('c')],
  ['[a](<b c> "d")', '[a](<b c>)', title('d')],
  ['[a](<b\nc> "d")', '[a](<b\nc> "d")'],
  ['[a](b(c)d "e")', '[a](b(c)d)', title('e')],
  ['[a](b(c(d)) "e")', '[a](b(c(d)) "e")'],
  ['[a](b "c\\"d")', '[a](b)', title('c\\"d')],
  ["[a](b 'c\\'d')", '[a](b)', title("c\\'d")],
  ['[a](b (c\\)d))', '[a](b)', title('c\\)d')],
  ['[a](b "c\nd")', '[a](b)', title('c\nd')],
  ['[a](b "c\\\nd")', '[a](b)', title('c\\\nd')],
  ["[a](b 'c\\\nd')", '[a](b)', title('c\\\nd')],
  ['[a](b (c\\\nd))', '[a](b)', title('c\\\nd')],
  ['[a](b"c")', '[a](b"c")'],
  ['[a](b "c"d)', '[a](b "c"d)'],
  ['[a](b "")', '[a](b)', title('')],
  ['[a](b (c(d))', '[a](b (c(d))'],
  ['[a]( "c")', '[a]( "c")'],
  ['[a](b "c" \n)', '[a](b)', title('c')],
])('the titles in %j become %j', (text, ...rest) => {
  expect(left(stripTitles, text)).toEqual(rest);
});

const longest = 'l'.repeat(999);
const spaces = ' '.repeat(40);

test.each([
  ...['[a]: b', '[a]:b', '> [a]: b', '\t[a]: b', '[a\\]b]: c', '[a\nb]: c', '[a\\\nb]: c', `[${longest}]: b`],
  ...[
    '[a]:\nb',
    `[a]:\n${spaces}b`,
    `[a]:${spaces}b`,
    `[a]:${spaces}\nb`,
    `${spaces}[a]: b`,
    '[a]: <b c> "d"',
  ],
  ...[
    '[a]: b "c" \t',
    '[a]: b\t"c"',
    '[a]: b"c"',
    `[a]: b${spaces}"c"`,
    '[a]: b\n"c"',
    `[a]: b\n${spaces}"c"`,
  ],
  ...[`[a]: b${spaces}\n "c"`, '[a]: b "c\nd"', "[a]: b 'c\nd'", '[a]: b (c\nd)', '[a]: b "c\\"d"'],
  ...["[a]: b 'c\\'d'", '[a]: b (c\\)d)', '[a]: b "c\\\nd"', "[a]: b 'c\\\nd'", '[a]: b (c\\\nd)'],
])('the definition %j is hidden, because nothing refers to it', (text) => {
  expect(left(stripDefinitions, `x\n${text}\ny`)).toEqual([
    'x\n\ny',
    `!link definition that nothing refers to: ${text}`,
  ]);
});

test.each([
  ...['x [a]: b', '    [a]: b c', '[a]: b c', '[a]: b "c" d', '[a]: ', '[a[b]: c', '[]: b', '[a\n \nb]: c'],
  ...[`[${longest}l]: b`, ` ${spaces}[a]: b`, `[a]:${spaces} b`, `[a]:\n${spaces} b`, `[a]: b${spaces} "c"`],
  ...[
    '[a]: b (c(d)',
    'a ] : [b]',
    '[^a b]: c',
    'x [^a]: b',
    `[^${longest}l]: b`,
    `${spaces} [^a]: b`,
    '[^]: b',
  ],
  ...[
    '[a] [a]: b',
    '[a]\n\n[a]: b',
    '[A  b]\n\n[a\nb]: c',
    '[ A\tb ]\n\n[a b]: c',
    '[\\a\\b]\n\n[\\a\\b]: c',
  ],
  ...[`[${longest}]\n\n[${longest}]: b`, '[a\\\nb]\n\n[a\\\nb]: c', '[^a]\n\n[^a]: b "c"', '[^A]\n\n[^a]: b'],
])('%j stays, because it is visible or something refers to it', (text) => {
  expect(left(stripDefinitions, text)).toEqual([text]);
});

test.each([
  ' "c"',
  " 'c'",
  ' (c)',
  '\n "c"',
  '\n"c"',
  '\t\n\t"c"',
  ' "c\\"d"',
])('the title %j of a used definition is removed', (text) => {
  expect(left(stripDefinitions, `[a]\n\n[a]: <b c>${text}\nd`)).toEqual([
    '[a]\n\n[a]: <b c>\nd',
    title(text),
  ]);
});

test('consecutive definitions are removed', () => {
  expect(left(stripDefinitions, '[a]: b\n[c]: d')).toEqual([
    '\n',
    '!link definition that nothing refers to: [a]: b',
    '!link definition that nothing refers to: [c]: d',
  ]);
});

test.each([
  ...['[^a]: b', '[^a]:', '> [^a]: b', '\t> [^a]: b', `[^${longest.slice(1)}]: b`, `${spaces}[^a]: b`],
  ...['[^a]: b\n  c', '[^a]: b\n\tc', '[^a]: b\n \t c', '[^a]: b\n\n  c', '[^a]: b\n\n\tc\n  d'],
  ...[
    '[^a]: b\nc',
    '[^a]: b\n c',
    '[^a]: b\n*c*',
    '[^a]: b\n#c',
    '[^a]: b\n2. c',
    '[^a]: b\n--c',
    '[^a]: b\n-_-',
  ],
])('the footnote %j is removed whole, because nothing refers to it', (text) => {
  expect(left(stripDefinitions, `x\n${text}\n\ny`)).toEqual([
    'x\n\n\ny',
    `!footnote that nothing refers to: ${text}`,
  ]);
});

test.each([
  ...[
    '\n\nc',
    '\n\n c',
    '\n\n\n  c',
    '\n# c',
    '\n###### c',
    '\n> c',
    '\n<p>c',
    '\n```\nc',
    '\n~~~\nc',
    '\n- c',
  ],
  ...['\n+ c', '\n*\tc', '\n1. c', '\n1) c', '\n---', '\n * * *', '\n___ ', '\n#\nc'],
])('an unused footnote ends before %j', (text) => {
  expect(left(stripDefinitions, `[^a]: b${text}`)).toEqual([
    text,
    '!footnote that nothing refers to: [^a]: b',
  ]);
});

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

test('a tag with more than a hundred attributes is not a tag', () => {
  const tagOf = (count: number) => `<a${' b'.repeat(count)}>`;
  expect([tags(tagOf(100)).length, tags(tagOf(101)).length]).toEqual([1, 0]);
});
