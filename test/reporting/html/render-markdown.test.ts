import { expect, test } from 'vitest';
import { renderMarkdown } from '../../../src/reporting/html/render-markdown.ts';

const places = { origins: ['https://github.com'], hosts: [] };
const render = (text: string, budget = 100_000) => renderMarkdown(text, places, budget).html;
const md = (within: string) => `<div class="md">${within}</div>`;
const plain = (text: string) => `<div class="md plain">${text}</div>`;

test.each([
  ['', ''],
  ['a\nb  \nc', '<p>a\nb<br>c</p>'],
  ['# A *b*\n\nc', '<p class="heading">A <em>b</em></p><p>c</p>'],
  [
    '**a** __b__ ~~c~~ `d<` \\*',
    '<p><strong>a</strong> <strong>b</strong> <s>c</s> <code>d&lt;</code> *</p>',
  ],
  ['a &amp; &lt;b&gt;', '<p>a &amp; &lt;b&gt;</p>'],
  ['```js\na < b\n```', '<pre class="text">a &lt; b</pre>'],
  ['> a\n>\n> > b', '<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>'],
  ['- a\n- b &amp; c', '<ul><li>a</li><li>b &amp; c</li></ul>'],
  ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
  [
    '- [x] a\n- [ ] b',
    '<ul><li><span class="task">☑</span> a</li><li><span class="task">☐</span> b</li></ul>',
  ],
  [
    '|a|`b`|\n|-|-|\n|*c*|d|',
    '<table class="grid"><thead><tr><th scope="col">a</th><th scope="col"><code>b</code></th></tr></thead><tbody><tr><td><em>c</em></td><td>d</td></tr></tbody></table>',
  ],
  ['a\n\n---\n\nb', '<p>a</p><hr><p>b</p>'],
  ['[a]: https://github.com/x\n\nb', '<p>b</p>'],
  ['<b>a</b>', '<p>&lt;b&gt;a&lt;/b&gt;</p>'],
  ['![a](https://github.com/x.png)', '<p>![a](https://github.com/x.png)</p>'],
  [
    '[*a*](https://github.com/x)',
    '<p><a href="https://github.com/x" rel="noopener noreferrer nofollow"><em>a</em></a></p>',
  ],
  ['[a](https://other.test/x)', '<p>a (<code>https://other.test/x</code>)</p>'],
])('renders %j with our own elements', (text, expected) => {
  expect(render(text)).toBe(md(expected));
});

test('displays elements below eight levels as source', () => {
  expect([render(`${'> '.repeat(8)}*a*`), render(`${'> '.repeat(9)}*a*`)]).toEqual([
    md(`${'<blockquote>'.repeat(8)}<p>*a*</p>${'</blockquote>'.repeat(8)}`),
    md(`${'<blockquote>'.repeat(9)}<p>*a*</p>${'</blockquote>'.repeat(9)}`),
  ]);
});

test.each<[what: string, read: string, left: string]>([
  ['of 12,000 characters', `*a*${'x'.repeat(11_997)}`, `*a*${'x'.repeat(11_998)}`],
  ['with quotes within each other', `a\n${'> '.repeat(11)}b`, `a\n${'> '.repeat(12)}b`],
  ['with lists within each other', `${'- '.repeat(11)}b`, `${'- '.repeat(12)}b`],
  ['with numbers within each other', `${'1. '.repeat(11)}b`, `${'1. '.repeat(12)}b`],
  ['with tabs between them', `${'1)\t'.repeat(11)}b`, `${'1)\t'.repeat(12)}b`],
  ['with 1,500 stars', '* a\n'.repeat(1_500), '* a\n'.repeat(1_501)],
  ['with 1,500 underscores', '_\n\n'.repeat(1_500), '_\n\n'.repeat(1_501)],
  ['with 39 signs in a row', '('.repeat(39), '('.repeat(40)],
  ['with 39 backticks in a row', `a${'`'.repeat(39)}`, `a${'`'.repeat(40)}`],
  ['with 29 brackets in a row', '[a'.repeat(29), '[a'.repeat(30)],
])('renders a text %s, and displays a longer one as source', (_, read, left) => {
  const isPlain = (text: string) => render(text).startsWith('<div class="md plain">');
  expect([isPlain(read), isPlain(left)]).toEqual([false, true]);
});

test('displays a text above the budget as source', () => {
  const text = '*a*';
  const budget = '<p><em>a</em></p>'.length;
  expect([render(text, budget), render(text, budget - 1)]).toEqual([md('<p><em>a</em></p>'), plain('*a*')]);
});
