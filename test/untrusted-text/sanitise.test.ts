import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { decodeAll, sanitise } from '../../src/untrusted-text/sanitise.ts';

/** Text and what was taken out, without its measures. */
const seen = (input: string) => {
  const { text, hidden } = sanitise(input);
  return { text, hidden: hidden.map(({ kind, excerpt }) => `${kind}: ${excerpt}`) };
};

describe('incoming text', () => {
  it.each([
    ['an HTML comment', 'a <!-- evil --> b', 'a  b', ['HTML comment: <!-- evil -->']],
    [
      'what only browsers without ruby show',
      '<ruby>a<rp>evil</rp></ruby>',
      '<ruby>a</ruby>',
      ['HTML element that is not shown: <rp>evil</rp>'],
    ],
    ['an unterminated comment', 'a <!-- evil', 'a ', ['HTML comment: <!-- evil']],
    ['a comment ended by --!>', 'a <!-- evil --!> b', 'a  b', ['HTML comment: <!-- evil --!>']],
    ['a comment of decimal references', '&#60;!-- evil --&#62; b', ' b', ['HTML comment: <!-- evil -->']],
    [
      'a comment of references to references',
      '&amp;#38;lt;!-- evil --&amp;gt; b',
      ' b',
      ['HTML comment: <!-- evil -->'],
    ],
    [
      'a comment that another puts together',
      '<<!-- x -->!-- evil -->b',
      'b',
      ['HTML comment: <!-- x -->', 'HTML comment: <!-- evil -->'],
    ],
    [
      'a comment behind code that is none',
      '<pre>\n\n```\n<!-- evil -->\n```\n</pre>',
      '<pre>\n\n```\n\n```\n</pre>',
      ['HTML comment: <!-- evil -->'],
    ],
    [
      'a comment between backticks of two spans',
      'a ` b\n` <!-- evil --> ` c',
      'a ` b\n`  ` c',
      ['HTML comment: <!-- evil -->'],
    ],
    ['a comment in a table', '`a | <!-- evil --> `', '`a |  `', ['HTML comment: <!-- evil -->']],
    ['tag characters', 'a\u{E0065}\u{E0076}b', 'ab', ['text in invisible tag characters: ev']],
    ['zero-width and joining characters', 'a\u200b\u2060\ufeffb', 'ab', ['invisible characters: ···']],
    ['marks of direction', 'a\u200e\u200f\u202eb\u2066\u061c', 'ab', ['invisible characters: ·····']],
    ['variation selectors', 'a\ufe01\u{E0100}b', 'ab', ['invisible characters: ··']],
    [
      'fillers and annotation marks',
      'a\u3164\u115f\uffa0\u180e\ufff9\u00adb',
      'ab',
      ['invisible characters: ······'],
    ],
    ['an alternative text', '![evil](x.png)', '![](x.png)', ['alternative text: evil']],
    [
      'titles of links',
      '[a](u "evil") [b](u \'evil\') [c](u (evil))',
      '[a](u) [b](u) [c](u)',
      Array(3).fill('title of a link: evil'),
    ],
    [
      'a title of a definition',
      '[a][]\n\n[a]: http://x "evil"',
      '[a][]\n\n[a]: http://x',
      ['title of a link: "evil"'],
    ],
    [
      'a definition nothing refers to',
      'b\n\n[a]: http://x "evil"',
      'b\n\n',
      ['link definition that nothing refers to: [a]: http://x "evil"'],
    ],
    [
      'a footnote nothing refers to',
      'b\n\n[^a]: evil\n   more',
      'b\n\n',
      ['footnote that nothing refers to: [^a]: evil more'],
    ],
    ['a comment of Markdown', '[//]: # (evil)\nb', '\nb', ['Markdown comment: [//]: # (evil)']],
    [
      'a source of a picture',
      '<picture><source media="evil" srcset="x"><img src="y"></picture>',
      '<picture><img src="y"></picture>',
      ['HTML tag that is not shown: <source media="evil" srcset="x">'],
    ],
    [
      'attributes that do not show',
      '<img src="y" alt="a > evil" title=evil2 x-y="z">',
      '<img src="y">',
      ['alternative text: alt="a > evil"', 'HTML attribute: title=evil2', 'HTML attribute: x-y="z"'],
    ],
    ['a tag that is a message', 'a<do-evil-now/>b', 'ab', ['unknown HTML tag: <do-evil-now/>']],
    [
      'an element that GitHub drops',
      '<style>evil</style>b',
      'b',
      ['HTML element that is not shown: <style>evil</style>'],
    ],
    [
      'an element that is hidden',
      '<p style="display:none">evil</p>b',
      'b',
      ['hidden HTML element: <p style="display:none">evil</p>'],
    ],
    [
      'a formula in white',
      '$\\color{white}{evil}$b',
      '$$b',
      ['formula in the colour of the page: \\color{white}{evil}'],
    ],
    [
      'a data URL',
      '[a](data:text/plain;base64,ZXZpbA==)',
      '[a]()',
      ['data URL: data:text/plain;base64,ZXZpbA=='],
    ],
  ])('loses %s, which is reported', (_, input, text, hidden) => {
    expect(seen(input)).toEqual({ text, hidden });
  });

  it.each([
    '# Title\n\n- [ ] if (a < b && c > d) return x[1](2);\n\n[link](https://x.test/a_(b)) **ünï** 日本\n\n<details><summary>More</summary>\ntext\n</details>',
    'text\n\n```html\n<!-- kept -->\n<title>x</title> &lt;\n```\n\nend',
    'The `<!-- x -->` and `<title>` tags, `a` and ``b ` c``',
    'family 👩‍👩‍👧‍👦 heart ❤️ key 1️⃣ flag 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪 waving 👋🏽 rainbow 🏳️‍🌈',
    'שלום עולם and مرحبا',
    'می‌خواهم and क्‍ष',
    '[a] and [b][a]\n\n[a]: https://x.test',
    'a note[^1]\n\n[^1]: seen',
  ])('keeps what a person reads: %j', (input) => {
    expect(sanitise(input)).toEqual({ text: input, hidden: [] });
  });

  it('measures hidden parts and marks alarming ones', () => {
    const { hidden } = sanitise(`<!--\n ${'x'.repeat(300)} -->\u{E0041}`);
    expect(hidden.map(({ digest, ...rest }) => ({ ...rest, digest: digest.length }))).toEqual([
      { kind: 'text in invisible tag characters', length: 1, excerpt: 'A', alarming: true, digest: 16 },
      { kind: 'HTML comment', length: 310, excerpt: `<!-- ${'x'.repeat(194)}…`, alarming: false, digest: 16 },
    ]);
  });

  const pieces = fc.constantFrom(
    ...[
      '<!--',
      '-->',
      '--!>',
      '<',
      '>',
      '!',
      '&',
      '&amp;',
      '&lt;',
      '&#35;',
      '&#38;',
      '#60;',
      ';',
      '`',
      '```',
      '\n',
      '\n\n',
      '~~~',
    ],
    ...[
      '[a]',
      '[a]: x',
      '[^b]',
      '[//]: # (x)',
      '](',
      ')',
      '"t"',
      '![',
      ' hidden',
      '<p',
      '<img alt="',
      '<pre>',
      '</pre>',
      '<source',
    ],
    ...[
      '\u200b',
      '\u200d',
      '\ufe0f',
      '👩',
      '❤',
      'क',
      '\u{E0041}',
      '\u{1F3F4}',
      '\u00ad',
      'data:a,b',
      '\\color{white}',
      'word ',
      ' ',
      '|',
      '\\',
    ],
  );
  const listed =
    /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/u;

  it('changes nothing the second time, and leaves no listed character', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 25 }),
        (parts) => {
          const once = sanitise(parts.join('')).text;
          expect(sanitise(once).text).toBe(once);
          expect(listed.test(once)).toBe(false);
        },
      ),
      { numRuns: 800 },
    );
  });

  it('keeps plain text of every language', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\p{L}\p{N} .,;:?!()\n-]{0,80}$/u), (text) => {
        expect(sanitise(text).text).toBe(text.replace(/[\u115f\u1160\u3164\uffa0]/g, ''));
      }),
    );
  });

  it('is cut at an unreasonable length', () => {
    const { text } = sanitise('a'.repeat(600_000));
    expect([text.length, text.endsWith('\n[cut]')]).toEqual([500_006, true]);
  });

  it('takes linear time for hostile text', () => {
    for (const part of [
      '<!--',
      '<',
      '![',
      '[a](',
      '&amp;',
      '<img alt="',
      '[x]: y "',
      '`',
      '```\n',
      '<p hidden>',
      '&#35;',
      '\\\\color{white}',
      '[^a]: b\n',
      '<a ="',
      '&&#35;',
    ])
      sanitise(part.repeat(20_000 / part.length));
    const spaces = ' '.repeat(65_000);
    for (const text of [
      `[a](${spaces}`,
      `[a]:x${spaces}y`,
      '<!-'.repeat(8_000) + '<!---->- -->'.repeat(8_000),
    ])
      expect(sanitise(text).text.length).toBeLessThan(500_007);
  });

  it('hides nothing in deeply nested layers', () => {
    const { text } = sanitise(`${'<!-'.repeat(40)}<!---->${'- -->'.repeat(40)} end`);
    expect([text.includes('<!--'), text.endsWith(' end')]).toEqual([false, true]);
  });
});

test.each([
  ['a & b &c', 'a & b &c'],
  ['&lt;&#64;', '<@'],
  ['&amp;lt;', '<'],
  ['&amp;#38;amp;#64;', '@'],
  ['&AMP;#64;', '@'],
  ['&#0038;#64;', '@'],
  ['&#x26;#x26;#64;', '@'],
  ['&#X0026;#64;', '@'],
  ['&a&#109;p;lt;', '<'],
  [
    '&#96;&#126;&#x60;&#x7e;&#X7E;&grave;&DiacriticalGrave;&#096',
    '&#96;&#126;&#x60;&#x7e;&#X7E;&grave;&DiacriticalGrave;&#096',
  ],
  ['&lt;&#96;&gt;', '<&#96;>'],
  ['&amp;#96;', '&#96;'],
  ['&amp; b', '& b'],
])('%j becomes %j', (text, expected) => {
  expect(decodeAll(text)).toBe(expected);
});

/** `&commat;` of which a character is a reference, of which one is, and so on: each look at the text undoes one. */
function nested(references: number): string {
  let text = '&commat;';
  for (let made = 1; made < references; made++)
    text = text.includes('#')
      ? text.replace('#', '&num;')
      : text.replace('at;', 'a&#116;;').replace('num;', 'nu&#109;;');
  return text;
}

test('a text nested deeper than twelve loses its `&`', () => {
  expect([nested(4), ...[4, 12, 13].map((depth) => decodeAll(nested(depth)))]).toEqual([
    '&comma&&nu&#109;;116;;',
    '@',
    '@',
    'commat;',
  ]);
});
