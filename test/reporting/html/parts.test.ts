import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatInput } from '../../../src/reporting/html/fold-story.ts';
import { brief, fitText, html } from '../../../src/reporting/html/html.ts';
import { renderDiff } from '../../../src/reporting/html/render-changes.ts';
import { renderMarkdown } from '../../../src/reporting/html/render-markdown.ts';
import { clipText, fitClip } from '../../../src/reporting/html/render-text.ts';
import { safeAddress } from '../../../src/reporting/html/report-link.ts';
import { attacks } from './hostile-run.ts';
import { diff } from './sample-run.ts';

const places = { origins: ['https://github.com'], hosts: ['docs.example.com', '*.allowed.example'] };
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(...attacks),
);

it('escapes what is inserted into a page, in text and attributes', () => {
  const text = `<b a='1' b="2">&\`\u202e\n`;
  expect(html`<p title="${text}">${text}${3}${null}${html`<i>${'<'}</i>`}${[html`1`, null]}</p>`.html).toBe(
    '<p title="&lt;b a=&#39;1&#39; b=&quot;2&quot;&gt;&amp;&#96;[U+202E]\n">&lt;b a=&#39;1&#39; b=&quot;2&quot;&gt;&amp;&#96;<span class="u">U+202E</span>\n3<i>&lt;</i>1</p>',
  );
});

it('does not split emoji and letters that need joiners', () => {
  for (const text of ['👩‍👩‍👧 ✔️', 'क्‍ष', 'naïve façade', '名前']) expect(html`${text}`.html).toBe(text);
});

it('fits any text into its budget in bytes, without half a character', () => {
  fc.assert(
    fc.property(anyText, fc.nat(200), (text, budget) => {
      const fitted = fitText(text, budget);
      expect(Buffer.byteLength(fitted.text.html)).toBeLessThanOrEqual(budget);
      expect(fitted.text.html).toBe(html`${text.slice(0, fitted.length)}`.html);
    }),
  );
});

it('shortens any text to the given length', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 80 }), (text, length) => {
      expect(Buffer.byteLength(brief(text, length).html)).toBeLessThanOrEqual(length * 3 + 3);
    }),
  );
  expect([brief('one\n two', 20).html, brief('x'.repeat(30), 10).html]).toEqual([
    'one two',
    `${'x'.repeat(10)}…`,
  ]);
});

it('counts the characters that it omits from a text', () => {
  const text = `${'a'.repeat(40_000)}the end`;
  const shown = fitClip(clipText(text), 1_000).text.html;
  const [, start = '', count = '', end = ''] =
    /^(a+)<span class="cut">… ([\d,]+) characters left out here …<\/span>(.*)$/.exec(shown) ?? [];
  expect(start.length + Number(count.replaceAll(',', '')) + end.length).toBe(text.length);
  expect(end).toMatch(/the end$/);
  expect(fitClip(clipText('short'), 1_000).text.html).toBe('short');
});

it('links to allowed addresses only', () => {
  const addresses = {
    'https://github.com/a': 'https://github.com/a',
    'https://docs.example.com/x': 'https://docs.example.com/x',
    'https://a.allowed.example/': 'https://a.allowed.example/',
    'https://allowed.example.evil.example/': null,
    'https://evil.example/': null,
    'http://docs.example.com/': null,
    'http://github.com/a': null,
    'https://user@github.com/': null,
    'https://github.com@evil.example/': null,
    'https://github.com.evil.example/': null,
    'https://github.com\\@evil.example/': null,
    'javascript:alert(1)': null,
    'JaVaScRiPt:alert(1)': null,
    ' javascript:alert(1)': null,
    'data:text/html,x': null,
    '//github.com/a': null,
    '/relative': null,
    '': null,
  };
  const made = Object.keys(addresses).map((address) => [address, safeAddress(address, places)]);
  // A backslash is a slash to browsers, so that one leads to the host before it.
  expect(Object.fromEntries(made)).toEqual({
    ...addresses,
    'https://github.com\\@evil.example/': 'https://github.com/@evil.example/',
  });
});

it('renders a model’s Markdown without HTML, images or links elsewhere', () => {
  const text =
    '**Bold** `a<b` [in](https://github.com/x) [out](https://evil.example/) ![i](https://evil.example/p.png) <b>x</b> &lt;\n\n- [x] done';
  expect(renderMarkdown(text, places, 10_000).html).toBe(
    '<div class="md"><p><strong>Bold</strong> <code>a&lt;b</code> <a href="https://github.com/x" rel="noopener noreferrer nofollow">in</a> out (<code>https://evil.example/</code>) ![i](https://evil.example/p.png) &lt;b&gt;x&lt;/b&gt; &lt;</p><ul><li><span class="task">☑</span> done</li></ul></div>',
  );
});

it('renders any Markdown within its budget', () => {
  const deep = ['> ', '- ', '[', '*a ', '`', '_', '<a ', '![', '**', '| '].map((piece) =>
    piece.repeat(3_000),
  );
  for (const text of [...deep, ...attacks])
    expect(Buffer.byteLength(renderMarkdown(text, places, 5_000).html)).toBeLessThan(5_300);
  fc.assert(
    fc.property(anyText, (text) => {
      expect(renderMarkdown(text, places, 5_000).html).not.toMatch(/<(?:script|img|svg|style|iframe)/i);
    }),
  );
});

it('numbers the lines of both sides of a diff, and marks the parts that differ', () => {
  const rows = [
    ...renderDiff(diff, diff.length, { lines: 100, budget: 10_000 }).html.html.matchAll(
      /<tr class="(\w)"><td>(\d*)<\/td><td>(\d*)<\/td><td>(.*?)<\/td>/g,
    ),
  ];
  expect(rows.slice(0, 7).map(([, ...cells]) => cells)).toEqual([
    ['h', '', '', '@@ -4,9 +4,12 @@ import { addDays, isAfter } from &#39;./day.js&#39;;'],
    ['s', '4', '4', ' /** All days of a range, both ends included. */'],
    ['s', '5', '5', ' export function days({ from, to }) {'],
    ['s', '6', '6', '   const found = [];'],
    ['d', '7', '', '-  for (let day = from; day &lt;<b></b> to; day = addDays(day, 1)) {'],
    ['a', '', '7', '+  for (let day = from; day &lt;<b>=</b> to; day = addDays(day, 1)) {'],
    ['s', '8', '8', '     found.push(day);'],
  ]);
});

it('cuts a long diff, and counts the omitted lines', () => {
  const long = `@@ -0,0 +1,500 @@\n${'+line\n'.repeat(500)}`;
  const { html: shown, bytes } = renderDiff(long, long.length, { lines: 100, budget: 100_000 });
  expect(shown.html).toMatch(/<p class="cut">401 more lines left out here\.<\/p>$/);
  expect(bytes).toBeGreaterThanOrEqual(Buffer.byteLength(shown.html) - 300);
});

it('formats the arguments of a call one per line', () => {
  expect(formatInput({ path: 'a.ts', text: 'one\n\ntwo', lines: [1, 2], deep: { a: 'x'.repeat(80) } })).toBe(
    `path: a.ts\ntext: \n    one\n\n    two\nlines: [1,2]\ndeep: {\n  "a": "${'x'.repeat(80)}"\n}`,
  );
  expect([formatInput('as it came'), formatInput([1])]).toEqual(['as it came', '[\n  1\n]']);
});
