import { expect, test } from 'vitest';
import { stripDefinitions, stripTags, stripTitles } from '../../src/untrusted-text/strip-markup.ts';
import type { TakeOut } from '../../src/untrusted-text/take-out.ts';

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

test.each(shown.split(' '))('the attribute %s shows, and names like it do not', (name) => {
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
  ['<abcdefghijklmnopqrst a=b>', '<abcdefghijklmnopqrst>', 'HTML attribute:  a=b'],
  ['<abcdefghijklmnopqrstu>', '', '!unknown HTML tag: <abcdefghijklmnopqrstu>'],
  ['<a-b>c', 'c', '!unknown HTML tag: <a-b>'],
  ['a<b c>d<e f>g', 'a<b>d<e>g', 'HTML attribute:  c', 'HTML attribute:  f'],
])('of the tags in %j there is left %j', (text, ...rest) => {
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
])('of the titles in %j there is left %j', (text, ...rest) => {
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
])('the definition %j does not show, as nothing refers to it', (text) => {
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
])('%j stays, as it shows or something refers to it', (text) => {
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
])('of a definition that is referred to, the title %j does not show', (text) => {
  expect(left(stripDefinitions, `[a]\n\n[a]: <b c>${text}\nd`)).toEqual([
    '[a]\n\n[a]: <b c>\nd',
    title(text),
  ]);
});

test('one definition after another is taken out', () => {
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
])('the footnote %j goes whole, as nothing refers to it', (text) => {
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
])('a footnote that nothing refers to ends before %j', (text) => {
  expect(left(stripDefinitions, `[^a]: b${text}`)).toEqual([
    text,
    '!footnote that nothing refers to: [^a]: b',
  ]);
});
