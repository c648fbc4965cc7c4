import { expect, test } from 'vitest';
import { neutraliseLinks } from '../../src/untrusted-text/neutralise-links.ts';

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
  ['[x](https://a.test "title")', '[x]|(https://a.test "title")'],
  ['[x](ftp://a.test)', '[x]|(ftp:|//a.test)'],
  ['<https://a.test/x>', '<https://a.test/x>'],
  ['https://a.test/x.', 'https://a.test/x.'],
  ['(https://a.test) https://a.test, https://a.test.', '(https://a.test) https://a.test, https://a.test.'],
  ['https://c.test/x?!.,:*_~)', 'https:|//c.test/x?!.,:*_~)'],
  ['www.c.test and WWW.a.test', 'w|ww.c.test and W|WW.a.test'],
  ['www.b.test awww.c.test', 'www.b.test awww.c.test'],
  ['https://x.b.test https://B.test https://xb.test', 'https://x.b.test https:|//B.test https:|//xb.test'],
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
