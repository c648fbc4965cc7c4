import { expect, test } from 'vitest';
import { diffCounts } from '../../../src/reporting/diff/git-patch.ts';
import { formatInput } from '../../../src/reporting/html/fold-story.ts';
import { brief, html, htmlBytes, joined } from '../../../src/reporting/html/html.ts';
import { costText, formatCount, timeText } from '../../../src/reporting/html/page-context.ts';
import { renderDiff } from '../../../src/reporting/html/render-changes.ts';
import { renderMarkdown } from '../../../src/reporting/html/render-markdown.ts';
import {
  clipText,
  createPageBudget,
  fitClip,
  missingIn,
  renderText,
} from '../../../src/reporting/html/render-text.ts';
import { allowedLinks, reportLink, safeAddress } from '../../../src/reporting/html/report-link.ts';
import { samplePlan } from '../samples.ts';

const places = { origins: ['https://github.com'], hosts: [] };

test('formats times, costs and counts', () => {
  const times = [0, 999, 1_000, 9_949, 9_950, 59_499, 59_500, 125_000, 3_599_499, 3_600_000, 3_780_000];
  expect(times.map(timeText)).toEqual([
    ...['0 ms', '999 ms', '1.0 s', '9.9 s', '10 s', '59 s', '1 min 0 s', '2 min 5 s', '59 min 59 s'],
    ...['1 h 0 min', '1 h 3 min'],
  ]);
  expect([null, 0, 0.0999, 0.1, 12.345].map(costText)).toEqual([
    ...['price not known', '$0.00', '$0.0999', '$0.10', '$12.35'],
  ]);
  expect(formatCount(1_234_567)).toBe('1,234,567');
});

test('divides the budget among the remaining pieces', () => {
  const budget = createPageBudget(100, 4);
  expect([budget.next(50), budget.next(10)]).toEqual([25, 10]);
  budget.spend(10);
  expect([budget.next(100), budget.next(100), budget.next(100)]).toEqual([45, 90, 90]);
  budget.spend(200);
  expect(budget.next(5)).toBe(0);
});

test('stores the first 24,000 and the last 8,000 units of a long text', () => {
  const whole = 'a'.repeat(32_000);
  expect([clipText(whole), missingIn(clipText(whole))]).toEqual([
    { head: whole, tail: '', length: 32_000 },
    0,
  ]);
  const clip = clipText(`${whole}b`);
  expect(clip).toEqual({ head: 'a'.repeat(24_000), tail: `${'a'.repeat(7_999)}b`, length: 32_001 });
  expect(missingIn(clip)).toBe(1);
});

test('displays the start of a long text, and its end in three tenths of the budget', () => {
  const cut = (count: string) => `<span class="cut">… ${count} characters left out here …</span>`;
  const shown = (text: string, budget: number) => fitClip(clipText(text), budget);
  const digits = '0123456789'.repeat(10);
  expect([shown('abc', 3), shown(digits, 50)]).toEqual([
    { text: { html: 'abc' }, bytes: 3 },
    {
      text: { html: `${digits.slice(0, 35)}${cut('50')}${digits.slice(-15)}` },
      bytes: 50 + Buffer.byteLength(cut('50')),
    },
  ]);
  const long = `${'a'.repeat(32_000)}${'b'.repeat(2_000)}`;
  expect(shown(long, 100).text.html).toBe(`${'a'.repeat(70)}${cut('33,900')}${'b'.repeat(30)}`);
  // Not from the middle of a pair.
  expect(shown(`${'a'.repeat(90)}😀bcd`, 14).text.html).toBe(`${'a'.repeat(9)}${cut('83')}bcd`);
  expect(shown('<<<<<<<<<<', 14).text.html).toBe(`&lt;&lt;${cut('7')}&lt;`);
  const budget = createPageBudget(100, 2);
  expect(renderText(clipText('ab'), 'L"', budget, 50).html).toBe(
    '<pre class="text" tabindex="0" role="region" aria-label="L&quot;">ab</pre>',
  );
  expect(budget.next(200)).toBe(98);
});

test('cuts a text to a number of units, never within a surrogate pair', () => {
  const shown = (text: string, length: number) => brief(text, length).html;
  expect([
    shown('abcdefghij', 10),
    shown('abcdefghijk', 10),
    shown(`${'a'.repeat(9)}😀`, 10),
    shown(`a${' '.repeat(38)}b`, 10),
    shown(`a${' '.repeat(39)}b`, 10),
  ]).toEqual(['abcdefghij', 'abcdefghij…', `${'a'.repeat(9)}…`, 'a b', 'a…']);
});

test('names each invisible character', () => {
  expect(html`${'\0\x1f\x7f\u200b'}<p a="${'\0\x7f'}">`.html).toBe(
    '<span class="u">NUL</span><span class="u">US</span><span class="u">DEL</span><span class="u">U+200B</span><p a="[NUL][DEL]">',
  );
  const accents = (count: number) => html`a${'\u0301'.repeat(count)}`.html;
  expect([accents(8), accents(9)]).toEqual([`a${'\u0301'.repeat(8)}`, 'a<span class="u">9 accents</span>']);
  expect([joined([html`a`, null, html`b`]).html, htmlBytes(html`ü`)]).toEqual(['ab', 2]);
});

test('displays the arguments of a call one per line', () => {
  expect(formatInput({ a: 'b'.repeat(200), c: ['d'.repeat(74)], e: ['d'.repeat(77)], f: null })).toBe(
    `a: ${'b'.repeat(200)}\nc: ["${'d'.repeat(74)}"]\ne: [\n  "${'d'.repeat(77)}"\n]\nf: null`,
  );
  expect([formatInput(null), formatInput(3), formatInput({}), formatInput({ a: 'x\n\ny' })]).toEqual([
    ...['null', '3', '', 'a: \n    x\n\n    y'],
  ]);
  const length = (size: number) => formatInput({ a: ['x'.repeat(size)] }).split('\n').length;
  expect([length(76), length(77)]).toEqual([1, 3]);
});

test('allows links to the repository’s site, and to configured hosts by https', () => {
  const plan = (clone_url: string) => samplePlan({ repository: { ...samplePlan().repository, clone_url } });
  expect([
    allowedLinks(null),
    allowedLinks(plan('HTTP://git.test:8080/a/b.git')),
    allowedLinks(plan('git@x:y')),
    allowedLinks({ ...samplePlan(), link_hosts: ['a.test'] }),
  ]).toEqual([
    { origins: ['https://github.com'], hosts: [] },
    { origins: ['http://git.test:8080'], hosts: [] },
    { origins: ['https://github.com'], hosts: [] },
    { origins: ['https://github.com'], hosts: ['a.test'] },
  ]);
  const to = (address: string, hosts: readonly string[]) => safeAddress(address, { origins: [], hosts });
  expect([
    to('https://a.test:8080/', ['A.test']),
    to('https://a.test:8080/', ['a.test:8080']),
    to('https://b.a.test/', ['*.A.test']),
    to('https://ba.test/', ['*.a.test']),
    to('https://:x@a.test/', ['a.test']),
  ]).toEqual(['https://a.test:8080/', 'https://a.test:8080/', 'https://b.a.test/', null, null]);
  const link = (address: string, words = 'w') => reportLink(html`${words}`, address, places).html;
  expect([
    link('https://github.com/a'),
    link('https://x.test/'),
    link('x', 'x'),
    link(`x${'y'.repeat(300)}`),
    link('z'.repeat(300)),
  ]).toEqual([
    '<a href="https://github.com/a" rel="noopener noreferrer nofollow">w</a>',
    'w (<code>https://x.test/</code>)',
    '<code>x</code>',
    `w (<code>x${'y'.repeat(299)}…</code>)`,
    `w (<code>${'z'.repeat(300)}</code>)`,
  ]);
});

test.each([
  ['# a', '<p class="heading">a</p>'],
  ['a\\*b', '<p>a*b</p>'],
  ['*a* ~~b~~ **c**', '<p><em>a</em> <s>b</s> <strong>c</strong></p>'],
  ['> q', '<blockquote><p>q</p></blockquote>'],
  ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
  ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
  ['- [ ] a', '<ul><li><span class="task">☐</span> a</li></ul>'],
  [
    '| a | b |\n|---|---|\n| c | d |',
    '<table class="grid"><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead><tbody><tr><td>c</td><td>d</td></tr></tbody></table>',
  ],
  ['---', '<hr>'],
  ['a  \nb', '<p>a<br>b</p>'],
  ['```js\nx<\n```', '<pre class="text">x&lt;</pre>'],
  ['[x]: http://y\n\na', '<p>a</p>'],
  ['&amp; &lt;', '<p>&amp; &lt;</p>'],
  ['<div>', '<p>&lt;div&gt;</p>'],
  ['![a](b)', '<p>![a](b)</p>'],
])('renders the Markdown %j', (text, shown) => {
  expect(renderMarkdown(text, places, 10_000).html).toBe(`<div class="md">${shown}</div>`);
});

test('displays Markdown as source if it is long, deep or without budget', () => {
  const isPlain = (text: string, budget = 100_000) =>
    renderMarkdown(text, places, budget).html.startsWith('<div class="md plain">');
  const signs = (count: number) => '*a '.repeat(count);
  expect([
    isPlain('a'.repeat(12_000)),
    isPlain('a'.repeat(12_001)),
    isPlain('a', 8),
    isPlain('a', 7),
    isPlain('> '.repeat(11)),
    isPlain('> '.repeat(12)),
    isPlain(signs(1_500)),
    isPlain(signs(1_501)),
    isPlain('('.repeat(39)),
    isPlain('('.repeat(40)),
    isPlain(`[${'a'.repeat(20)}`.repeat(29)),
    isPlain(`[${'a'.repeat(20)}`.repeat(30)),
    isPlain(`[${'a'.repeat(21)}`.repeat(30)),
    isPlain('[a]'.repeat(30)),
    isPlain('[a\n'.repeat(30)),
  ]).toEqual([
    ...[false, true, false, true, false, true, false, true, false, true],
    ...[false, true, false, false, false],
  ]);
  const nested = (depth: number) => renderMarkdown(`${'> '.repeat(depth)}x`, places, 10_000).html;
  expect([nested(8).includes('&gt;'), nested(10).includes('&gt;')]).toEqual([false, true]);
});

test('parses any number of open brackets in linear time', () => {
  const before = process.cpuUsage();
  for (const text of ['['.repeat(39), '[a'.repeat(60), '[ab'.repeat(200), `${'[a'.repeat(29)}b`])
    renderMarkdown(text, places, 10_000);
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});

const row = (kind: string, old: string, fresh: string, text: string) =>
  `<tr class="${kind}"><td>${old}</td><td>${fresh}</td><td>${text}</td></tr>`;
const rows = (diff: string, { lines = 100, budget = 10_000, whole = diff.length } = {}) =>
  renderDiff(diff, whole, { lines, budget }).html.html.replace(/^.*<tbody>|<\/tbody><\/table>/g, '');

test('numbers the lines of a diff, and marks differences within changed lines', () => {
  const head = '@@ -1,2 +1,3 @@';
  const at = row('h', '', '', head);
  expect([
    rows(`${head}\n-abcdef\n+abXdef\n`),
    rows(`${head}\n-abcdefghi\n+uvwxyzstr\n`),
    rows(`${head}\n-ab\n-cd\n+ab\n same\n+x`),
    rows('new file mode 100644\nindex a\n@@ -0,0 +1 @@\n+a\n\\ No newline'),
    rows(`${head}\n-a😀b\n+a😁b`),
    rows(`${head}\n-same1\n-same2\n+same3\n+same4`),
    rows(''),
  ]).toEqual([
    at + row('d', '1', '', '-ab<b>c</b>def') + row('a', '', '1', '+ab<b>X</b>def'),
    at + row('d', '1', '', '-abcdefghi') + row('a', '', '1', '+uvwxyzstr'),
    at +
      row('d', '1', '', '-ab') +
      row('d', '2', '', '-cd') +
      row('a', '', '1', '+ab') +
      row('s', '3', '2', ' same') +
      row('a', '', '3', '+x'),
    row('h', '', '', 'new file mode 100644') +
      row('h', '', '', '@@ -0,0 +1 @@') +
      row('a', '', '1', '+a') +
      row('h', '', '', '\\ No newline'),
    at + row('d', '1', '', '-a<b>😀</b>b') + row('a', '', '1', '+a<b>😁</b>b'),
    at +
      row('d', '1', '', '-same<b>1</b>') +
      row('d', '2', '', '-same<b>2</b>') +
      row('a', '', '1', '+same<b>3</b>') +
      row('a', '', '2', '+same<b>4</b>'),
    '',
  ]);
  const notes = [
    ...['old mode 1', 'new mode 1', 'new file mode 1', 'deleted file mode 1', 'rename from a'],
    ...[
      'copy to b',
      'similarity index 9%',
      'Binary files differ',
      'GIT binary patch',
      'index 1',
      '--- a',
      'odd',
    ],
  ];
  expect(rows(notes.join('\n'))).toBe(
    notes
      .slice(0, 9)
      .map((text) => row('h', '', '', text))
      .join(''),
  );
});

test('cuts a diff by lines, budget and line length, and says so', () => {
  const diff = '@@ -1 +1,3 @@\n+a\n+b\n+c';
  const cut = (words: string) => `<p class="cut">${words} left out here.</p>`;
  const size = Buffer.byteLength(row('h', '', '', '@@ -1 +1,3 @@') + row('a', '', '1', '+a'));
  expect([
    rows(diff, { lines: 4 }).includes('cut'),
    rows(diff, { lines: 3 }).endsWith(cut('1 more line')),
    rows(diff, { budget: size }).endsWith(`+a</td></tr>${cut('2 more lines')}`),
    rows(diff, { budget: size - 1 }).endsWith(cut('3 more lines')),
    rows(diff, { whole: 99 }).endsWith(cut('0 more lines and what follows them')),
    rows(diff, { lines: 0 }),
  ]).toEqual([false, true, true, true, true, cut('4 more lines')]);
  const line = (length: number) => rows(`@@ -0,0 +1 @@\n+${'x'.repeat(length)}`).includes('…');
  expect([line(1_999), line(2_000)]).toEqual([false, true]);
  expect(renderDiff('', 0, { lines: 1, budget: 1 })).toEqual({ html: { html: '' }, bytes: 200 });
  expect([diffCounts('+++ a\n--- b\n@@ -1 +1 @@\n+a\n-b\n-c\n x'), diffCounts('')]).toEqual([
    { added: 1, removed: 2 },
    { added: 0, removed: 0 },
  ]);
});
