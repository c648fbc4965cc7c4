import { expect, test } from 'vitest';
import {
  afterLeadingMention,
  mentions,
  slashCommand,
  spokenText,
} from '../../../src/webhooks/commands/command-text.ts';

/** The spoken lines without the empty ones; `~` stands where something was left out. */
const spoken = (body: string) =>
  spokenText(body)
    .replaceAll('\0', '~')
    .split('\n')
    .filter((line) => line !== '');

test.each([
  ['one\n\ntwo', ['one', '~two']],
  ['# head\ntext', ['head', 'text']],
  ['- a\n- b', ['a', 'b']],
  ['1. a\n   - b', ['a', 'b']],
  ['- [ ] a\n- [x] b', ['[ ] a', '[x] b']],
  ['| a | b |\n|---|---|\n| c | d |', ['a', 'b', 'c', 'd']],
  ['a **b** _c_ ~~d~~', ['a ', 'b', ' ', 'c', ' ', 'd']],
  ['a\\*b', ['a', '\\*b']],
  ['> q\n\na', ['~~a']],
  ['a `c` b', ['a ', '~ b']],
  ['```\nx\n```\nb', ['~b']],
  ['    x\n\nb', ['~~b']],
  ['a <b>c</b> d', ['a ', '~c', '~ d']],
  ['a<br>b', ['a', '~b']],
  ['<div>x</div>\n\nb', ['~~b']],
  ['<!-- x -->\n\nb', ['~~b']],
  ['[l](u) a', ['~ a']],
  ['![i](u) a', ['~ a']],
  ['http://x.test a', ['~ a']],
  ['[r]: http://x\n\nb', ['~~b']],
  ['a\n\n---\n\nb', ['a', '~~~b']],
])('the spoken text of %j is %j', (body, lines) => {
  expect(spoken(body)).toEqual(lines);
});

test('footnotes and content that GitHub hides are not spoken', () => {
  const hidden = [
    'a\n\n[^n]: @anode x',
    'a\n[^n]: b\n@anode x',
    'a\n\n- [^n]: @anode x',
    'a\n\n> 1. [^n]: @anode x',
    'a\n\n[^n]: b\n\n    @anode x',
    'a\n\n<template>\n\n@anode x\n\n</template>',
    'a <template>@anode x</template>',
    'a <textarea>@anode x',
  ];
  expect(hidden.filter((body) => mentions(spokenText(body), 'anode'))).toEqual([]);
  expect(mentions(spokenText('[^n]: b\n\n@anode x[^n] <template>y</template>'), 'anode')).toBe(true);
});

test('unfinished, folded or hidden HTML silences the text after it', () => {
  const hidden = [
    'a\n\n<ruby><rp>@anode x</rp></ruby>',
    'a\n\n<p title="\n\n@anode x\n\n<p c=">x',
    'a\n\n<div><!--\n\n@anode x\n\n<div>-->',
    'a\n\n<div><!--\n\n@anode x',
    '- a\n  <div><!--\n\n@anode x',
    "a\n\n<p title='\n\n@anode x",
    'a\n\n<p title = "a>b" id=\'\n\n@anode x',
    '<details><summary>logs</summary>\n\n@anode x\n\n</details>',
    '<details open><DETAILS\n title="open">\n\n</details>\n\n@anode x',
    '$\\phantom{\\text{@anode x}}$',
    '$$\\color{white}\n@anode x$$',
  ];
  expect(hidden.filter((body) => mentions(spokenText(body), 'anode'))).toEqual([]);
});

test('a quote in HTML ends only at the end of its own element', () => {
  const quoted = [
    '<blockquote>\n\n</q></code></tt>\n\n@anode x\n\n</blockquote>',
    '<blockquote>\n\n<!-- </blockquote> -->\n\n@anode x',
    '<blockquote>\n\n<p title="</blockquote>">\n\n@anode x',
    '<q>a <!--</q>--> @anode x</q>',
    '<pre title="<">\n\n@anode x',
    '<blockquote><blockquote></blockquote></blockquote></blockquote><blockquote>\n\n@anode x',
    '<q><blockquote>\n\n</q>\n\n@anode x',
  ];
  const said = [
    '<blockquote><q>a\n\n</blockquote>\n\n@anode x',
    '<blockquote>a</blockquote>\n\n@anode x',
    '<p title="a > b">\n\n@anode x',
    '<p title=a>\n\n@anode x',
    '<!---->\n\n@anode x',
    '<!-->\n\n@anode x',
    '</blockquote></q>\n\n@anode x',
    'a < b and c > d: @anode x',
    'from $HOME to $PATH: @anode x costs $5',
  ];
  const asks = (body: string) => mentions(spokenText(body), 'anode');
  expect([quoted.filter(asks), said.filter((body) => !asks(body))]).toEqual([[], []]);
});

test('a combining accent is part of a name', () => {
  expect([mentions('@anode\u0301 x', 'anode'), mentions('@anode\u2019s x', 'anode')]).toEqual([false, true]);
});

test('text in HTML elements for quotes and code is not spoken until they are closed', () => {
  for (const tag of ['code', 'pre', 'kbd', 'samp', 'tt', 'blockquote', 'q', 'CODE', 'code class="a"'])
    expect([tag, spoken(`a <${tag}>b</${tag.split(' ')[0]}> c`)]).toEqual([tag, ['a ', '~', '~ c']]);
  for (const tag of ['codex', 'b', 'i', 'sub'])
    expect([tag, spoken(`a <${tag}>b</${tag}> c`)]).toEqual([tag, ['a ', '~b', '~ c']]);
  expect(spoken('a <code>b <q>c</q> d</code> e')).toEqual(['a ', '~', '~', '~', '~ e']);
  expect(spoken('<blockquote>\n\nk\n\n</blockquote>\n\nb')).toEqual(['~~', '~~~b']);
  expect(spoken('a </code> b <code>c</code> d')).toEqual(['a ', '~ b ', '~', '~ d']);
  expect(spoken('a <code>b')).toEqual(['a ', '~']);
});

test('reads the first 8,000 characters, and nothing of deep nesting', () => {
  expect(spokenText(`${'a'.repeat(7_999)}bc`)).toBe(`${'a'.repeat(7_999)}b\n\n`);
  expect(spoken(`a ${'- '.repeat(20)}xyz`).join('')).toMatch(/- xyz$/);
  const deep = (marks: string, depth: number) => spoken(`a\n\n${marks.repeat(depth)}xyz`).join('|');
  const marks = ['- ', '* ', '+ ', '1. ', '2) ', ' \t - ', '123456789. ', '1234567890. '];
  expect(marks.map((mark) => deep(mark, 19).endsWith('xyz'))).toEqual([
    ...[true, true, true, true, true, false, true, true],
  ]);
  expect(marks.map((mark) => deep(mark, 20).endsWith('xyz'))).toEqual([
    ...[false, false, false, false, false, false, false, true],
  ]);
});

test('a mention is a separate word', () => {
  const found = (texts: readonly string[], word = 'anode') => texts.map((text) => mentions(text, word));
  const yes = ['@anode', '(@anode)', '@ANODE!', 'a @anode, b', '@anode. b', '*@anode*', ',@anode'];
  const no = [
    ...[
      '@anodes',
      '@anodé',
      '@anode2',
      '@anode_',
      '@anode-x',
      '@anode/x',
      '@anode@x',
      '@anode.com',
      '@anode.2',
    ],
    ...[
      'm@anode',
      'é@anode',
      '2@anode',
      '_@anode',
      '.@anode',
      '+@anode',
      '/@anode',
      '@@anode',
      '\\@anode',
      '-@anode',
    ],
    ...['anode', '@ anode', '@nod'],
  ];
  expect(found(yes)).toEqual(yes.map(() => true));
  expect(found(no)).toEqual(no.map(() => false));
  expect(found(['@a.b', '@aXb'], 'a.b')).toEqual([true, false]);
});

test('reports the text after a leading mention, and whether it is on the same line', () => {
  const after = (body: string) => afterLeadingMention(body, 'anode');
  const same = (words: string) => ({ words, sameLine: true });
  const below = (words: string) => ({ words, sameLine: false });
  expect(
    ['@anode a', '@anode, a', '@anode: a', ' @anode ,: a\nb ', '@anode', '@anode a,'].map(after),
  ).toEqual([same('a'), same('a'), same('a'), same('a\nb'), same(''), same('a,')]);
  expect(['@anode\na', '@anode, \na', '@anode \t\n\na'].map(after)).toEqual([
    ...[below('a'), below('a'), below('a')],
  ]);
  expect(['x @anode a', '**@anode** a', '`@anode` a', '<!-- @anode -->\n\n@anode a'].map(after)).toEqual([
    ...[null, null, null, null],
  ]);
});

test('a command is the first word on a line of a paragraph', () => {
  const command = (body: string) => slashCommand(body, 'anode')?.words ?? null;
  expect(
    ['/anode a', '\n\n/anode  a ', '/ANODE b', '/anode\ta', '/anode a\nb', '/anode', '/anode \n\na'].map(
      command,
    ),
  ).toEqual(['a', 'a', 'b', 'a', 'a\nb', '', '']);
  expect(
    ['/anode-x', '/anodex', 'a /anode', '- /anode a', '> /anode a', '    /anode a', '# /anode a', ''].map(
      command,
    ),
  ).toEqual([null, null, null, null, null, null, null, null]);
});
