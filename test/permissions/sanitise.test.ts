import { describe, expect, it } from 'vitest';
import { neutraliseOutgoing, sanitise } from '../../src/permissions/sanitise.ts';

describe('text that comes in', () => {
  it.each([
    ['an HTML comment', 'a <!-- evil --> b', 'a  b', ['<!-- evil -->']],
    ['an unterminated comment', 'a <!-- evil', 'a ', ['<!-- evil']],
    ['a comment ended by --!>', 'a <!-- evil --!> b', 'a  b', ['<!-- evil --!>']],
    ['a comment of decimal references', '&#60;!-- evil --&#62; b', ' b', ['<!-- evil -->']],
    ['a comment of doubled references', '&amp;lt;!-- evil --&amp;gt; b', ' b', ['<!-- evil -->']],
    [
      'a comment that another one puts together',
      '<<!-- x -->!-- evil -->b',
      'b',
      ['<!-- x -->', '<!-- evil -->'],
    ],
    ['tag characters', 'a\u{E0065}\u{E0076}b', 'ab', ['text in invisible tag characters: ev']],
    ['zero-width and joining characters', 'a\u200b\u2060\ufeffb', 'ab', ['3 invisible characters']],
    ['marks of direction', 'a\u200e\u200f\u202eb\u2066', 'ab', ['4 invisible characters']],
    ['variation selectors', 'a\ufe01\u{E0100}b', 'ab', ['2 invisible characters']],
    ['an alternative text', '![evil](x.png)', '![](x.png)', ['evil']],
    [
      'titles of links',
      '[a](u "evil") [b](u \'evil\') [c](u (evil))',
      '[a](u) [b](u) [c](u)',
      ['evil', 'evil', 'evil'],
    ],
    ['a title of a definition', '[a]: http://x "evil"', '[a]: http://x', ['evil']],
    ['a comment of Markdown', '[//]: # (evil)\nb', '\nb', ['[//]: # (evil)']],
    [
      'a source of a picture',
      '<picture><source media="evil" srcset="x"><img src="y"></picture>',
      '<picture><img src="y"></picture>',
      ['<source media="evil" srcset="x">'],
    ],
    [
      'attributes that do not show',
      '<img src="y" alt="evil" title=evil2>',
      '<img src="y">',
      ['alt="evil"', 'title=evil2'],
    ],
    ['an element that GitHub drops', '<style>evil</style>b', 'b', ['<style>evil</style>']],
  ])('loses %s, which is told', (_, input, text, hidden) => {
    expect(sanitise(input)).toEqual({ text, hidden });
  });

  it('keeps what a person reads', () => {
    const input =
      '# Title\n\n- [ ] if (a < b && c > d) return x[1](2);\n\n[link](https://x.test/a_(b)) **ünï** 日本 😀\n\n<details><summary>More</summary>\ntext\n</details>';
    expect(sanitise(input)).toEqual({ text: input, hidden: [] });
  });

  it('is cut where it is longer than anyone would write', () => {
    const { text } = sanitise('a'.repeat(600_000));
    expect([text.length, text.endsWith('\n[cut]')]).toEqual([500_006, true]);
  });

  it('is done in a moment on text made to take long', () => {
    const startedAt = performance.now();
    for (const part of ['<!--', '<', '![', '[a](', '&amp;', '<img alt="', '[x]: y "', '`'])
      sanitise(part.repeat(20_000 / part.length));
    const spaces = ' '.repeat(65_000);
    for (const text of [
      `[a](${spaces}`,
      `[a]:x${spaces}y`,
      '<!-'.repeat(8_000) + '<!---->- -->'.repeat(8_000),
    ])
      sanitise(text);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('hides nothing in layers deeper than it takes away', () => {
    const { text } = sanitise(`${'<!-'.repeat(40)}<!---->${'- -->'.repeat(40)} end`);
    expect(text).toBe(`${'&lt;!-'.repeat(21)}${'- -->'.repeat(21)} end`);
  });
});

describe('text that goes out', () => {
  it.each([
    ['hi @octocat, @org/team (@x)', 'hi `@octocat`, `@org/team` (`@x`)'],
    ['mail a@b.example and `@code`', 'mail a@b.example and `@code`'],
    ['Fixes #12, closes: acme/x#3', 'Fixes `#12`, closes: `acme/x#3`'],
    ['resolves https://github.com/a/b/issues/9', 'resolves `https://github.com/a/b/issues/9`'],
    ['see #12', 'see #12'],
    ['a <!-- marker --> b', 'a &lt;!-- marker --> b'],
    ['```\n@x fixes #1\n```\n@y', '```\n@x fixes #1\n```\n`@y`'],
    ['```\n@x not closed', '```\n@x not closed'],
    ['hid\u200bden \u{E0041}', 'hidden '],
  ])('%j becomes %j, and stays so', (input, output) => {
    expect([neutraliseOutgoing(input), neutraliseOutgoing(output)]).toEqual([output, output]);
  });

  it('keeps the mentions and numbers that the plan allows', () => {
    const allow = { mentions: ['Octocat'], closes: [5] };
    expect(neutraliseOutgoing('@octocat @other fixes #5, fixes #6', allow)).toBe(
      '@octocat `@other` fixes #5, fixes `#6`',
    );
  });
});
