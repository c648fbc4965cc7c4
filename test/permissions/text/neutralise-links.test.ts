import { expect, test } from 'vitest';
import { neutraliseLinks } from '../../../src/permissions/text/neutralise-links.ts';

const apart = '\u200b';
const hosts = ['a.test', '*.b.test', 'localhost:8080'];
const clean = (text: string) => neutraliseLinks(text, hosts, (part) => part.replaceAll('W', 'w'));

test.each([
  ['W [W](https://a.test/W) W', 'w [w](https://a.test/W) w'],
  ['[W](https://c.test/W)', 'w (`https://c.test/W`)'],
  ['[](https://c.test)', '`https://c.test`'],
  ['[https://c.test](https://c.test)', '`https://c.test`'],
  ['[x](<https://c.test> "title")', 'x (`https://c.test`)'],
  ["[x]( https://c.test/a(b)c 'title' )", 'x (`https://c.test/a(b)c`)'],
  ['[x](//c.test)', 'x (`//c.test`)'],
  ['[x](//a.test)', '[x](//a.test)'],
  ['[x](ftp://a.test)', 'x (`ftp://a.test`)'],
  ['<https://a.test/x>', '<https://a.test/x>'],
  ['<https://c.test/x>', '`https://c.test/x`'],
  ['<mailto:me@c.test>', '`mailto:me@c.test`'],
  ['https://a.test/x.', 'https://a.test/x.'],
  ['https://c.test/x?!.,:*_~)', '`https://c.test/x`?!.,:*_~)'],
  ['www.c.test and WWW.a.test', '`www.c.test` and `WWW.a.test`'],
  ['www.b.test', 'www.b.test'],
  ['https://x.b.test https://B.test https://xb.test', 'https://x.b.test `https://B.test` `https://xb.test`'],
  ['http://localhost:8080/x http://localhost:81/', 'http://localhost:8080/x `http://localhost:81/`'],
  ['https://me@a.test https://me:x@a.test', '`https://me@a.test` `https://me:x@a.test`'],
  ['fixes https://a.test/x', 'fixes `https://a.test/x`'],
  ['Closed: https://a.test/x', 'Closed: `https://a.test/x`'],
  ['resolve [x](https://a.test/x)', 'resolve x (`https://a.test/x`)'],
  ['prefix https://a.test/x', 'prefix `https://a.test/x`'],
  ['xhttps://c.test', 'xhttps://c.test'],
  [
    '[x](docs/a.md#b) [x](/a) [x](../a) [x](./a) [x](#a)',
    '[x](docs/a.md#b) [x](/a) [x](../a) [x](./a) [x](#a)',
  ],
  ['[x](javascript:alert(1))', `[x]${apart}(javascript:alert(1))`],
  ['[x](\\/\\/c.test)', `[x]${apart}(\\/\\/c.test)`],
  ['[x](&#47;/c.test)', `[x]${apart}(&#47;/c.test)`],
  ['\\](javascript:x)', '\\](javascript:x)'],
  ['[x]: https://c.test', `[x]${apart}: \`https://c.test\``],
  ['> - [x]: y', `> - [x]${apart}: y`],
  ['a [x]: y', 'a [x]: y'],
])('%j becomes %j', (text, expected) => {
  expect(clean(text)).toBe(expected);
});

test('words are told whether they start the text', () => {
  const told: [string, boolean][] = [];
  neutraliseLinks('a [b](https://a.test) c', hosts, (part, starts) => {
    told.push([part, starts]);
    return part;
  });
  expect(told).toEqual([
    ['a ', true],
    ['b', false],
    [' c', false],
  ]);
});
