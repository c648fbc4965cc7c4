import { describe, expect, it } from 'vitest';
import { neutraliseOutgoing, neutralisePlain } from '../../src/permissions/neutralise.ts';

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
    ['\\@octocat &#64;octocat fixes &#35;1', '`@octocat` `@octocat` fixes `#1`'],
    ['a ` b\n` @octocat ` c', 'a ` b\n` `@octocat` ` c'],
    ['- a\n  ```\n@octocat\n  ```', '- a\n  ```\n`@octocat`\n  ```'],
    ['- a\n  ```\n  @x\n  ```', '- a\n  ```\n  @x\n  ```'],
    ['<div>@octocat</div>', '&lt;div>`@octocat`&lt;/div>'],
    ['<details><summary>a</summary>b</details>', '&lt;details>&lt;summary>a&lt;/summary>b&lt;/details>'],
    ['see\n/approve\n  /anode stop now\n/usr/bin/env', 'see\n`/approve`\n  `/anode` stop now\n/usr/bin/env'],
    ['Closes https://github.com/a/b/issues/9', 'Closes `https://github.com/a/b/issues/9`'],
    ['Fixes GH-9 and resolve #3, #4', 'Fixes `GH-9` and resolve `#3`, #4'],
    ['[@ada fixes #2](docs/a.md)', '[`@ada` fixes `#2`](docs/a.md)'],
    ['👩‍👩‍👧 ❤️', '👩‍👩‍👧 ❤️'],
    // Code that is drawn: its links would work.
    ['```mermaid\nclick A "//evil.example"\n```\na', '```text\nclick A "//evil.example"\n```\na'],
    [
      'a\n~~~ &#109;ermaid x\nA --- B@{ img: "http://evil.example" }\n~~~',
      'a\n~~~ text\nA --- B@{ img: "http://evil.example" }\n~~~',
    ],
    ['```mermaid\nA --> B\n```', '```mermaid\nA --> B\n```'],
    ['```js\nopen("http://evil.example")\n```', '```js\nopen("http://evil.example")\n```'],
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

describe('text for titles and messages of commits', () => {
  it.each([
    ['Fix dates for @octocat', 'Fix dates for octocat'],
    ['Fixes #12, closes acme/x#3', 'Fixes 12, closes acme/x 3'],
    ['fixes https://github.com/a/b/issues/9', 'fixes <https://github.com/a/b/issues/9>'],
    ['Do it [skip ci] [ci skip]', 'Do it (skip ci) (ci skip)'],
    ['skip-checks: true\nSigned-off-by: eve', 'skip-checks  true\nSigned-off-by  eve'],
    ['a.ts: use `b` in <c> (#7)', 'a.ts: use `b` in <c> (#7)'],
  ])('%j becomes %j, and stays so', (input, output) => {
    expect([neutralisePlain(input), neutralisePlain(output)]).toEqual([output, output]);
  });
});
