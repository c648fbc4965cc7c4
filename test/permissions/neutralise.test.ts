import { describe, expect, it } from 'vitest';
import { neutraliseOutgoing, neutralisePlain } from '../../src/permissions/neutralise.ts';

/** `|` stands for the character that takes apart. */
const shown = (text: string) => text.replaceAll('\u200b', '|');

describe('text that goes out', () => {
  it.each([
    ['hi @octocat, @org/team (@x)', 'hi @|octocat, @|org/team (@|x)'],
    ['cc .@x -@x /@x @@x a/@b/c', 'cc .@|x -@|x /@|x @@|x a/@|b/c'],
    ['mail a@b.example and `@code`', 'mail a@b.example and `@code`'],
    ['Fixes #12, closes: acme/x#3', 'Fixes |#12, closes: |acme/x#3'],
    ['resolves https://github.com/a/b/issues/9', 'resolves |https:|//github.com/a/b/issues/9'],
    ['see #12', 'see #12'],
    ['a <!-- marker --> b', 'a &lt;!-- marker --> b'],
    ['```\n@x fixes #1\n```\n@y', '```\n@x fixes #1\n```\n@|y'],
    ['```\n@x not closed', '```\n@x not closed\n```'],
    ['hid\u200bden \u{E0041}', 'hidden '],
    ['\\@octocat &#64;octocat fixes &#35;1', '\\@|octocat &|#64;octocat fixes &|#35;1'],
    ['a ` b\n` @octocat ` c', 'a &#96; b\n` @octocat ` c'],
    ['- a\n  ```\n@octocat\n  ```', '- a\n  &#96;&#96;&#96;\n@|octocat\n  &#96;&#96;&#96;'],
    ['- a\n  ```\n  @x\n  ```', '- a\n  ```\n  @x\n  ```'],
    ['<div>@octocat</div>', '&lt;div>@|octocat&lt;/div>'],
    ['<details><summary>a</summary>b</details>', '&lt;details>&lt;summary>a&lt;/summary>b&lt;/details>'],
    ['see\n/approve\n  /anode stop now\n/usr/bin/env', 'see\n|/approve\n  |/anode stop now\n/usr/bin/env'],
    ['Closes https://github.com/a/b/issues/9', 'Closes |https:|//github.com/a/b/issues/9'],
    ['Fixes GH-9 and resolve #3, #4', 'Fixes |GH-9 and resolve |#3, #4'],
    ['[@ada fixes #2](docs/a.md)', '[@|ada fixes |#2](docs/a.md)'],
    ['👩‍👩‍👧 ❤️', '👩‍👩‍👧 ❤️'],
    ['```mermaid\nclick A "//evil.example"\n```\na', '```text\nclick A "//evil.example"\n```\na'],
    [
      'a\n~~~ &#109;ermaid x\nA --- B@{ img: "http://evil.example" }\n~~~',
      'a\n~~~text\nA --- B@{ img: "http://evil.example" }\n~~~',
    ],
    [
      'a\n  ```mermaid\nclick A "//evil.example"\n  ```',
      'a\n  &#96;&#96;&#96;mermaid\nclick A "//evil.example"\n  &#96;&#96;&#96;',
    ],
    [
      '> ```mermaid\n> click A "//evil.example"\n> ```',
      '> &#96;&#96;&#96;mermaid\n> click A "//evil.example"\n> &#96;&#96;&#96;',
    ],
    ['- ```mermaid\n  click A "//evil.example"\n  ```', '- ```text\n  click A "//evil.example"\n  ```'],
    [
      '  ~~~ mermaid x\n  click A "//evil.example"\n',
      '  &#126;&#126;&#126; mermaid x\n  click A "//evil.example"\n',
    ],
    [
      '1. a\n   - b\n\n     ```mermaid\n     click A "//evil.example"\n     ```',
      '1. a\n   - b\n\n     ```text\n     click A "//evil.example"\n     ```',
    ],
    [
      '  ```mermaid\nA\n  ```\n  ```mermaid\n```mermaid\nclick A "//evil.example"\n  ```',
      '  &#96;&#96;&#96;mermaid\nA\n  &#96;&#96;&#96;\n  &#96;&#96;&#96;mermaid\n```text\nclick A "//evil.example"\n  ```',
    ],
    ['```mermaid\nA --> B\n```', '```mermaid\nA --> B\n```'],
    ['https://a.example\n```mermaid\nA --> B\n```', 'https:|//a.example\n```mermaid\nA --> B\n```'],
    ['a\n  ```mermaid\nA --- B\n  ```', 'a\n  &#96;&#96;&#96;mermaid\nA --- B\n  &#96;&#96;&#96;'],
    ['```js\nopen("http://evil.example")\n```', '```js\nopen("http://evil.example")\n```'],
  ])('%j becomes %j, and stays so', (input, output) => {
    const once = neutraliseOutgoing(input);
    expect([shown(once), neutraliseOutgoing(once)]).toEqual([output, once]);
  });
});

describe('text for titles and messages of commits', () => {
  it.each([
    ['Fix dates for @octocat', 'Fix dates for octocat'],
    ['Fixes #12, closes acme/x#3', 'Fixes 12, closes acme/x 3'],
    ['fixes https://github.com/a/b/issues/9', 'fixes github.com/a/b/issues/9'],
    ['Do it [skip ci] [ci skip]', 'Do it (skip ci) (ci skip)'],
    ['skip-checks: true\nSigned-off-by: eve', 'skip-checks  true\nSigned-off-by  eve'],
    ['a.ts: use `b` in <c> (#7)', 'a.ts: use `b` in <c> (#7)'],
  ])('%j becomes %j, and stays so', (input, output) => {
    expect([neutralisePlain(input), neutralisePlain(output)]).toEqual([output, output]);
  });
});

const harmless = [
  'x@y',
  '@-y',
  'closing #1 fixing #1 resolver #1 fixe #1',
  'prefix #1 xclose #1',
  'fixes#1',
  'fixes /d#1',
  'x /a',
  '/a/b',
  '/a.b',
  '/1',
  '/',
  'a<br>b a<BR/>b a< br>',
  '`x` <sub>y</sub>',
];

describe('what GitHub makes nothing of', () => {
  it.each(harmless)('stays as it is: %j', (text) => {
    expect(neutraliseOutgoing(text)).toBe(text);
  });
});

describe('what GitHub would make something of', () => {
  it.each([
    ['@a-b @a.b @a--', '@|a-b @|a.b @|a--'],
    ['@team/x.y-z', '@|team/x.y-z'],
    ['@a[bot]', '@|a[bot]'],
    [
      '@aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa @aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      '@|aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa @|aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    ],
    ['é@y _@y `@y a@b@c x@y.z@w', 'é@|y _@|y &#96;@|y a@b@|c x@y.z@|w'],
    ['@&#97;da &#8238;x &rlm;', '@&|#97;da &|#8238;x &|rlm;'],
    ['a\\`@x b` c', 'a&#96;@|x b&#96; c'],
    ['fi**x** #1 _fixes_ #1 fixes&nbsp;#1', 'fi**x** |#1 _fixes_ |#1 fixes&nbsp;|#1'],
    ['**/a** <br>/a x<br>/b\n&#47;a', '**|/a** <br>|/a x<br>|/b\n&|#47;a'],
    ['1. <b>\n`@x`', '1. &lt;b>\n`@x`'],
    [
      'close #1 closed #1 closes #1 fix #1 fixed #1 fixes #1 resolve #1 resolved #1 resolves #1',
      'close |#1 closed |#1 closes |#1 fix |#1 fixed |#1 fixes |#1 resolve |#1 resolved |#1 resolves |#1',
    ],
    ['fixes a.b-c/d.e-f#1', 'fixes |a.b-c/d.e-f#1'],
    ['FIXES #1 gh-7', 'FIXES |#1 gh-7'],
    ['fixes GH-7 fixes gh-x', 'fixes |GH-7 fixes gh-x'],
    [
      'fixes http://x.test/a/pull/7 fixes https://x.test/a/pulls/7',
      'fixes |http:|//x.test/a/pull/7 fixes |https:|//x.test/a/pulls/7',
    ],
    ['fixes https://x.test/issues/7a', 'fixes |https:|//x.test/issues/7a'],
    ['/a', '|/a'],
    ['  /a b', '  |/a b'],
    [' > /a', ' > |/a'],
    ['\t/a', '\t|/a'],
    ['/a-b_c', '|/a-b_c'],
    ['/a,', '|/a,'],
    ['&commat;a &#x40;a &#X0040;a &#064a &num;1', '&|commat;a &|#x40;a &|#X0040;a &#064a &|num;1'],
    [
      'fixes &#x23;1 fixes &num;1 fixes \\#1 fixes \\\\#1',
      'fixes &|#x23;1 fixes &|num;1 fixes \\|#1 fixes \\\\|#1',
    ],
    ['a\\\\@b a\\b', 'a\\\\@|b a\\b'],
    ['<a@b.c> <http://x> <x:y>', '&lt;a@b.c> &lt;http:|//x> &lt;x:y>'],
    ['<br>', '&lt;br>'],
    ['a\n<br>', 'a\n&lt;br>'],
    ['- <br>', '- &lt;br>'],
    [
      'a <b>x</b> <i> <em> <strong> <kbd> <sup> <u> <s> <bx>',
      'a <b>x</b> <i> <em> <strong> <kbd> <sup> &lt;u> &lt;s> &lt;bx>',
    ],
    ['a <?x <!x </x <1 < x', 'a &lt;?x &lt;!x &lt;/x <1 < x'],
  ])('is made harmless: %j', (text, harmlessText) => {
    expect(shown(neutraliseOutgoing(text))).toBe(harmlessText);
  });

  it('is no part of an address that may be linked to', () => {
    const text = 'see https://x.test/@ada/b and [it](https://x.test/@ada)';
    expect(neutraliseOutgoing(text, ['x.test'])).toBe(text.replaceAll('@', '%40'));
  });

  it('is known across code, at the beginning of a line alone', () => {
    expect([
      neutraliseOutgoing('`a`/b'),
      neutraliseOutgoing('```\na\n```\n/b'),
      neutraliseOutgoing('`a` <br>'),
      neutraliseOutgoing('```\na\n```\n<br>'),
    ]).toEqual(['`a`/b', '```\na\n```\n\u200b/b', '`a` <br>', '```\na\n```\n&lt;br>']);
  });

  it.each([
    'mermaid',
    'math',
    'geojson',
    'topojson',
    'stl',
    'MERMAID',
    'x &amp;',
    'x\\y',
  ])('is shown as text where GitHub would draw it: %s', (word) => {
    const drawn = (fence: string, code: string) =>
      neutraliseOutgoing(`a\n${fence}${word}\n${fence.replace(/\S+/, code)}\n${fence}`);
    expect(['click x', 'href', '//x', 'a --- b'].map((code) => drawn('```', code).split('\n')[1])).toEqual([
      ...['```text', '```text', '```text', `\`\`\`${word}`],
    ]);
    expect(drawn('  ~~~~', 'CLICK').split('\n')[1]).toBe('  ~~~~text');
  });

  it('is code that GitHub shows, whatever is in it', () => {
    const shown = (word: string) => neutraliseOutgoing(`\`\`\`${word}\nclick //x\n\`\`\``);
    expect(
      ['mermaids', 'js', '', 'xmermaid'].filter((word) => shown(word) !== `\`\`\`${word}\nclick //x\n\`\`\``),
    ).toEqual([]);
    expect(neutraliseOutgoing('```mermaid\nclicks hrefs\n```')).toBe('```mermaid\nclicks hrefs\n```');
  });
});

describe('what a title or a message of a commit says', () => {
  it.each([
    ['@a @b/c x@y é@z `@w @@v', 'a b/c x@y éz `w v'],
    ['fixes:#1 @fixes #1', 'fixes:1 fixes 1'],
    ['fixes #1 closes a/b#2 fixes GH-3 resolves gh-4', 'fixes 1 closes a/b 2 fixes 3 resolves 4'],
    ['closes: #1', 'closes: 1'],
    ['FIXES http://x.test/pull/1', 'FIXES x.test/pull/1'],
    [
      '[skip ci] [no ci] [skip actions] [no actions] [ci skip] [actions skip] [SKIP CI] [skip  ci] [ci no] [skip cis] skip ci',
      '(skip ci) (no ci) (skip actions) (no actions) (ci skip) (actions skip) (SKIP CI) [skip  ci] [ci no] [skip cis] skip ci',
    ],
    ['skip-checks: true', 'skip-checks  true'],
    ['SKIP-CHECKS : x', 'SKIP-CHECKS  x'],
    ['x skip-checks: x', 'x skip-checks: x'],
    ['Co-authored-by: a', 'Co-authored-by  a'],
    ['reviewed-by:b', 'reviewed-by b'],
    ['Anode-Run: 1', 'Anode-Run  1'],
    ['anode-run-x: 1', 'anode-run-x: 1'],
    ['by: x', 'by: x'],
    ['a-by-b: x', 'a-by-b: x'],
  ])('is plain: %j', (text, plain) => {
    expect(neutralisePlain(text)).toBe(plain);
  });
});
