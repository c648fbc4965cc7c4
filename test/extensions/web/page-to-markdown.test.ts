import { describe, expect, it, test } from 'vitest';
import { pageToMarkdown } from '../../../src/extensions/web/page-to-markdown.ts';

const url = 'https://a.test/docs/page.html';
const text = (html: string) => pageToMarkdown({ html, url })?.text ?? null;

test('a page becomes GitHub Markdown, with full links and names of pictures', () => {
  const html = [
    '<html><head><title> A page </title></head><body>',
    '<h2>Head</h2><p>One <em>two</em> <strong>three</strong> <del>four</del></p>',
    '<ul><li>five</li></ul><pre><code class="language-ts">six\n</code></pre>',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td><td>d</td></tr></tbody></table>',
    '<p><a href="../up">up</a> <a href="https://b.test/">away</a> <a>none</a></p>',
    '<p><img src="x.png" alt=" a bee "><img src="y.png"></p></body></html>',
  ].join('');
  expect(pageToMarkdown({ html, url })).toEqual({
    title: 'A page',
    text: [
      '## Head',
      'One *two* **three** ~~four~~',
      '-   five',
      '```ts\nsix\n```',
      '| a   | b   |\n| --- | --- |\n| c   | d   |',
      '[up](https://a.test/up) [away](https://b.test/) none',
      '[image: a bee]',
    ].join('\n\n'),
  });
});

test('a part of a page is converted like a page', () => {
  expect(pageToMarkdown({ html: '<p>a</p>', url })).toEqual({ title: '', text: 'a' });
});

describe('hidden text', () => {
  it.each([
    'hidden',
    'style="display:none"',
    'style="color:red; DISPLAY : none"',
    'style="visibility: hidden"',
    'style="font-size:0"',
    'style="font-size: 0px"',
    'style="opacity:0"',
    'style="opacity : 0;"',
  ])('by %s is left out', (attribute) => {
    expect(text(`<p>a</p><p ${attribute}>b</p>`)).toBe('a');
  });

  it.each([
    'style="opacity:0.5"',
    'style="font-size:0.9em"',
    'style="display:block"',
    'class="hidden"',
    'style=""',
  ])('is distinguished from visible text by %s', (attribute) => {
    expect(text(`<p>a</p><p ${attribute}>b</p>`)).toBe('a\n\nb');
  });
});

const words = 'The article says a good deal, with commas, and goes on for a while, as articles do. '.repeat(
  8,
);

/** A page with an article in it, and a list beside that is told with it where it says far more. */
const around = (count: number, more = '') =>
  `<html><body><div class="sidebar"><ul>${'<li>link</li>'.repeat(count)}</ul></div><article><p>${words}</p><p>${words}</p></article>${more}</body></html>`;

test('parts around the text of a page are left out, unless there is nothing else', () => {
  const tags = [
    ...['script', 'style', 'template', 'noscript', 'svg', 'canvas', 'iframe', 'form', 'button', 'nav'],
    ...['aside', 'footer', 'dialog', 'section', 'main'],
  ];
  const read = text(around(1000, tags.map((tag) => `<${tag}><b>in-${tag}</b></${tag}>`).join('')));
  expect(read?.match(/in-\w+/g)).toEqual(['in-section', 'in-main']);
});

test('an article is extracted from its page if it is a third of the page', () => {
  expect(text(around(3))).toBe(`${words.trim()}\n\n${words.trim()}`);
  expect(text(around(1000))).toContain('-   link\n-   link');
});

describe('the nesting depth of a page', () => {
  // Within a comment, as only the tags are counted: a page that is nested so deep takes long to read.
  const nested = (...parts: string[]) => text(`<!--${parts.join('')}-->a`);
  const deepest = '<div>'.repeat(400);

  it('is counted by tags, up to 400', () => {
    expect([nested(deepest), nested(deepest, '<div>')]).toEqual(['a', null]);
  });

  it('excludes closed elements', () => {
    expect([
      nested('</div>'.repeat(50), deepest, '<div>'),
      nested(deepest, '</div><div>'),
      nested('<div>a</div>'.repeat(450)),
    ]).toEqual([null, 'a', 'a']);
  });

  it.each([
    ...'area base br col embed hr img input link meta param source track wbr'.split(' '),
    ...'p li dt dd tr td th thead tbody tfoot option optgroup colgroup rp rt body head'.split(' '),
    'P',
  ])('excludes %s, which has no end tag or may omit it', (tag) => {
    expect(nested(deepest, `<${tag}>`)).toBe('a');
  });

  it.each(['divx', 'x-y', 'span', 'DIV'])('includes %s', (tag) => {
    expect(nested(deepest, `<${tag}>`)).toBeNull();
  });
});
