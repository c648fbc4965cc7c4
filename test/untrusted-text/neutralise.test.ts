import { describe, expect, it, test } from 'vitest';
import { neutraliseLinks, neutraliseOutgoing, neutralisePlain } from '../../src/untrusted-text/neutralise.ts';

/** `|` stands for the character that takes apart. */
const shown = (text: string) => text.replaceAll('\u200b', '|');

describe('published text', () => {
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
  '<b>a b</b> a<SUB>i_1</SUB>',
];

describe('text without an effect on GitHub', () => {
  it.each(harmless)('stays unchanged: %j', (text) => {
    expect(neutraliseOutgoing(text)).toBe(text);
  });
});

describe('text with an effect on GitHub', () => {
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
    ['[fix](docs/a.md) #1 fix](a b) #1', '[fix](docs/a.md) |#1 fix]|(a b) #1'],
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
      'a <b>x</b> &lt;i> &lt;em> &lt;strong> &lt;kbd> &lt;sup> &lt;u> &lt;s> &lt;bx>',
    ],
    [
      'a </b><b> <b></b> <b> </b> <i>x</b> a</i>',
      'a &lt;/b>&lt;b> &lt;b>&lt;/b> &lt;b> &lt;/b> &lt;i>x&lt;/b> a&lt;/i>',
    ],
    ['a <b><b>x</b></b> <b><i>x</i></b>', 'a &lt;b><b>x</b>&lt;/b> &lt;b><i>x</i>&lt;/b>'],
    [
      'a <b>x|y</b> <b>x\\</b> <b>$x</b> [<b>x](y)</b>',
      'a &lt;b>x|y&lt;/b> &lt;b>x\\&lt;/b> &lt;b>$x&lt;/b> [&lt;b>x](y)&lt;/b>',
    ],
    [
      'a \\<b>x</b> <b>x\ny</b> <b >x</b> <br>x</br>',
      'a \\&lt;b>x&lt;/b> &lt;b>x\ny&lt;/b> &lt;b >x&lt;/b> <br>x&lt;/br>',
    ],
    ['<b>@</b>ada @<b>ada</b> @*a*da @</i>ada', '<b>@</b>|ada @<b>|ada</b> @*|a*da @&lt;/i>ada'],
    [
      'fixes #<b>1</b> fixes a<b>b</b>/c#1 fixes G<b>H</b>-1',
      'fixes |#<b>1</b> fixes |a<b>b</b>/c#1 fixes |G<b>H</b>-1',
    ],
    ['fixes h<b>ttp</b>://x', 'fixes |h<b>ttp</b>://x'],
    ['/<b>a</b>\n/*a*', '|/<b>a</b>\n|/*a*'],
    [
      'xmpp:a@b.c XMPP\\:a@b.c xmpp&colon;a@b.c xmpp&#58;a',
      'xmpp:|a@b.c XMPP\\:|a@b.c xmpp&|colon;a@b.c xmpp&|#58;a',
    ],
    ['$\\\\href{x} &#92;href &bsol;href$', '$\\\\|href{x} &|#92;href &|bsol;href$'],
    ['a <?x <!x </x <1 < x', 'a &lt;?x &lt;!x &lt;/x <1 < x'],
  ])('is made harmless: %j', (text, harmlessText) => {
    expect(shown(neutraliseOutgoing(text))).toBe(harmlessText);
  });

  it('is no part of an address that may be linked', () => {
    const text = 'see https://x.test/@ada/b and [it](https://x.test/@ada)';
    expect(neutraliseOutgoing(text, ['x.test'])).toBe(text.replaceAll('@', '%40'));
  });

  it('is recognised across code, only at the beginning of a line', () => {
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
  ])('is displayed as text where GitHub would draw it: %s', (word) => {
    const drawn = (fence: string, code: string) =>
      neutraliseOutgoing(`a\n${fence}${word}\n${fence.replace(/\S+/, code)}\n${fence}`);
    expect(['click x', 'href', '//x', 'a --- b'].map((code) => drawn('```', code).split('\n')[1])).toEqual([
      ...['```text', '```text', '```text', `\`\`\`${word}`],
    ]);
    expect(drawn('  ~~~~', 'CLICK').split('\n')[1]).toBe('  ~~~~text');
  });

  it.each([
    ...['a\\u002fb', 'a:\\/b', 'a\\\nb', '#47;#47;x', '&#47;/x', '&sol;#x2f;x', '#sol;/x'],
    ...['http:/x', 'https:x', 'ht\ttp:x', '/\t/x', '/\n/x', 'javascript:x', 'cl#105;ck'],
  ])('is no drawing if it spells an address differently: %j', (code) => {
    const word = (drawn: string) => neutraliseOutgoing(`\`\`\`${drawn}\n${code}\n\`\`\``).split('\n')[0];
    expect(['mermaid', 'geojson', '&#109;ermaid'].map(word)).toEqual(['```text', '```text', '```text']);
  });

  it.each([
    ...[
      '\\href{x}',
      '\\style{a}',
      '\\def\\x',
      '\\newcommand{x}',
      '\\htmlStyle{x}',
      '\\csname x',
      '\\class{a}',
      '\\mmlToken{mi}[x]{y}',
    ],
  ])('is no formula with a command that links elsewhere: %j', (code) => {
    expect([
      neutraliseOutgoing(`\`\`\`math\n${code}\n\`\`\``),
      shown(neutraliseOutgoing(`a $x ${code}$`)),
    ]).toEqual([`\`\`\`text\n${code}\n\`\`\``, `a $x ${code.replace('\\', '\\|')}$`]);
  });

  it.each([
    '```mermaid\nA["a\\nb"] --> B:::c\nclassDef c fill:#f9f,stroke:#333;\nA->>B: /login #35; & #quot;x#quot;\n```',
    '```math\n\\frac{a}{b} \\hrefs \\text{a}\n```',
    'a $\\frac{a}{b}$ \\hrefs &amp; xmpp is',
  ])('stays a drawing: %j', (text) => {
    expect(neutraliseOutgoing(text)).toBe(text);
  });

  it.each([
    'suggestion',
    ' suggestion',
    'Suggestion x',
    'suggestion:-0+1',
    '&#115;uggestion',
    'sugges&#x74;ion',
    '&Tab;suggestion',
  ])('is no change that GitHub offers with a button: %j', (word) => {
    const safe = (fence: string) => neutraliseOutgoing(`a\n\n- ${fence}${word}\n  b\n  ${fence}`);
    expect([safe('```'), safe('~~~~')]).toEqual([
      'a\n\n- ```text\n  b\n  ```',
      'a\n\n- ~~~~text\n  b\n  ~~~~',
    ]);
  });

  it('is displayed as code by GitHub, whatever its content', () => {
    const shown = (word: string) => neutraliseOutgoing(`\`\`\`${word}\nclick //x\n\`\`\``);
    expect(
      ['mermaids', 'js', '', 'xmermaid', 'a suggestion', 'diff'].filter(
        (word) => shown(word) !== `\`\`\`${word}\nclick //x\n\`\`\``,
      ),
    ).toEqual([]);
    expect(neutraliseOutgoing('```mermaid\nclicks hrefs\n```')).toBe('```mermaid\nclicks hrefs\n```');
  });
});

describe('keywords split over two texts close nothing', () => {
  it.each([
    ...['Close', 'closes', 'closed', 'fix', 'FIXES', 'fixed', 'resolve', 'resolves', 'resolved'].map(
      (word) => [`a ${word}`, `a ${word}|`],
    ),
    ...['fix: ', 'fix\n\n', 'fix**', 'fix_~\\', 'fix&nbsp;', 'fix <br>', 'fix]'].map((end) => [
      `a ${end}`,
      `a fix|${end.slice(3)}`,
    ]),
    ['a f**ix*e*d', 'a f**ix*e*d|'],
    ['a <b>fix</b> <br>', 'a <b>fix|</b> <br>'],
    ['`a` hot-fix', '`a` hot-fix|'],
    ['https://github.com/a/fix b/fix', 'https://github.com/a/fix b/fix|'],
    ['#1 is', '|#1 is'],
    ['a/b.c#1', '|a/b.c#1'],
    ['gh-1', '|gh-1'],
    [' \n: [**_~a-b/c#1', ' \n: [**_~|a-b/c#1'],
    ['&nbsp;#1 #2', '&nbsp;|#1 #2'],
    ['\\\\#1', '|\\\\#1'],
  ])('is apart from it: %j', (text, apart) => {
    const once = neutraliseOutgoing(text, ['github.com']);
    expect([shown(once), neutraliseOutgoing(once, ['github.com'])]).toEqual([apart, once]);
  });

  it.each([
    ...['prefix', 'fixe', 'fix a', 'fix)', 'fix-', 'fix #', '`fix`', '```\nfix\n```', '~~~\nfix\n~~~'],
    ...['https://github.com/a/fix', '[a](docs/fix)', 'WWW.github.com/fix'],
    ...[
      'a #1',
      '# 1',
      '(#1',
      'a /b#1',
      '`#1`',
      '~~~\n#1\n~~~',
      '```\n```\n#1',
      '[a](b.md)',
      'https://github.com/a/b/issues/1',
    ],
  ])('is not in %j', (text) => {
    expect(neutraliseOutgoing(text, ['github.com', 'www.github.com'])).toBe(text);
  });
});

describe('titles and commit messages', () => {
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

const hosts = ['a.test', '*.b.test', 'localhost:8080'];

/** `|` stands for the character that takes apart. */
const clean = (text: string) => neutraliseLinks(text, hosts).replaceAll('\u200b', '|');

test.each([
  ['W [W](https://a.test/W) W', 'W [W](https://a.test/W) W'],
  ['[W](https://c.test/W)', '[W]|(https:|//c.test/W)'],
  ['[](https://c.test)', '[]|(https:|//c.test)'],
  ['[x](<https://c.test> "title")', '[x]|(<https:|//c.test> "title")'],
  ['[x](//c.test)', '[x]|(//c.test)'],
  ['[x](//a.test/x)', '[x](//a.test/x)'],
  ['[x](https://a.test)', '[x](https://a.test/)'],
  ['[x](HTTPS://a.test/W)', '[x](HTTPS://a.test/W)'],
  ['[x](https://a.test "title")', '[x]|(https://a.test "title")'],
  ['[x](ftp://a.test)', '[x]|(ftp:|//a.test)'],
  ['<https://a.test/x>', '<https://a.test/x>'],
  ['https://a.test/x.', 'https://a.test/x.'],
  ['(https://a.test) https://a.test, https://a.test.', '(https://a.test) https://a.test, https://a.test.'],
  ['https://c.test/x?!.,:*_~)', 'https:|//c.test/x?!.,:*_~)'],
  ['www.c.test and WWW.a.test', 'w|ww.c.test and W|WW.a.test'],
  ['www.b.test awww.c.test', 'www.b.test awww.c.test'],
  ['https://x.b.test https://B.test https://xb.test', 'https://x.b.test https:|//B.test https:|//xb.test'],
  ['https://A.test:8443 https://X.B.test:8443', 'https://A.test:8443 https://X.B.test:8443'],
  ['http://localhost:8080/x http://localhost:81/', 'http://localhost:8080/x http:|//localhost:81/'],
  ['https://me@a.test https://me:x@a.test', 'https:|//me@a.test https:|//me:x@a.test'],
  [
    'https://a.test@c.test https://a.test"@c.test https://a.test\\@c.test',
    'https:|//a.test@c.test https:|//a.test"@c.test https:|//a.test\\@c.test',
  ],
  [
    'https://a.test\u00a0@c.test https://a.test)@c.test',
    'https:|//a.test\u00a0@c.test https:|//a.test)@c.test',
  ],
  ['https://a.test&#46;c.test https://a.test.c.test', 'https:|//a.test&#46;c.test https:|//a.test.c.test'],
  ['[x](https://a.test)@c.test/', '[x](https://a.test/)@c.test/'],
  ['https://a.test/@ada/b', 'https://a.test/%40ada/b'],
  ['https://a.test/?https://c.test', 'https://a.test/?https:|//c.test'],
  ['xhttps://c.test', 'xhttps:|//c.test'],
  [
    '[x](docs/a.md#b) [x](/a) [x](../a) [x](./a) [x](#a)',
    '[x](docs/a.md#b) [x](/a) [x](../a) [x](./a) [x](#a)',
  ],
  ['[x](javascript:alert(1))', '[x]|(javascript:alert(1))'],
  ['[x](\\/\\/c.test) [x](/\\c.test)', '[x]|(\\/\\/c.test) [x]|(/\\c.test)'],
  ['[x](&#47;/c.test)', '[x]|(&#47;/c.test)'],
  ['[x]: https://c.test', '[x]|: https:|//c.test'],
  ['[a\nx]: //c.test', '[a\nx]|: //c.test'],
  ['![a](docs/a.png) ![a](//c.test/a.png) ![a][b]', '![a](docs/a.png) !|[a]|(//c.test/a.png) !|[a][b]'],
])('%j becomes %j', (text, expected) => {
  expect(clean(text)).toBe(expected);
});
