import { expect, test } from 'vitest';
import { readInline } from '../../src/untrusted-text/code-spans.ts';

/** How a line is read: `H` where HTML may stand, `E` where marks are escaped, `T` in a table, `O` for none of these. */
type Way = 'O' | 'H' | 'E' | 'T';

/** The spans of a line, what is outside of them, and what holds for the next line; `before`: what held for this one. */
function read(line: string, way: Way, before: string) {
  const [plain, dollar, tags] = ['plain', 'dollar', 'tags'].map((one) => before.includes(one));
  const { spans, outside, after } = readInline(
    line,
    { plain: plain === true, dollar: dollar === true, tags: tags === true },
    { html: way === 'H', escaping: way === 'E', tables: way === 'T' },
  );
  const held = Object.entries(after).flatMap(([name, holds]) => (holds ? [name] : []));
  return [spans.map(({ start, end }) => line.slice(start, end)), outside, held.join(' ')];
}

test.each<[line: string, way: Way, spans: string[], outside: string, after: string]>([
  ['a `b` c', 'O', ['`b`'], 'a   c', 'plain'],
  ['`a` `b`', 'O', ['`a`', '`b`'], '   ', 'plain'],
  ['``a` ``b', 'O', ['``a` ``'], ' b', 'plain'],
  ['`a', 'O', [], '`a', ''],
  ['`a` `', 'O', [], '  `', ''],
  ['`a` `', 'E', ['`a`'], '  `', 'plain'],
  ['``` a', 'O', [], '``` a', ''],
  ['`a``b`', 'O', ['`a``b`'], ' ', 'plain'],
  ['\\`a`', 'O', [], '\\ ', ''],
  ['\\`a`', 'E', [], '\\ ', ''],
  ['`a\\`', 'O', [], ' ', ''],
  ['x\\ `a`', 'O', ['`a`'], 'x\\  ', 'plain'],
  ['x\\`a`', 'E', [], 'x\\ ', ''],
  ['[a]: `b`', 'O', [], '[a]:  ', ''],
  ['[a]: `b`', 'E', ['`b`'], '[a]:  ', 'plain'],
  ['$`a`', 'O', [], '$ ', 'dollar'],
  ['$`a`', 'E', [], '$ ', 'dollar'],
  ['`a`$', 'O', [], ' $', 'dollar'],
  ['$ `a`', 'O', ['`a`'], '$  ', 'plain dollar'],
  ['$ `a$`', 'O', [], '$  ', 'dollar'],
  ['`a$`', 'O', ['`a$`'], ' ', 'plain'],
  ['`a|b`', 'O', ['`a|b`'], ' ', 'plain'],
  ['`a|b`', 'T', [], ' ', ''],
  ['| `a` |', 'T', ['`a`'], '|   |', 'plain'],
  ['http://`a`', 'O', [], 'http:// ', ''],
  ['http:// `a`', 'O', ['`a`'], 'http://  ', 'plain'],
  ['http://\t`a`', 'O', ['`a`'], 'http://\t ', 'plain'],
  ['www.`a`', 'O', [], 'www. ', ''],
  ['WWW.x`a`', 'O', [], 'WWW.x ', ''],
  ['wwwx`a`', 'O', ['`a`'], 'wwwx ', 'plain'],
  ['a/b`c`', 'O', ['`c`'], 'a/b ', 'plain'],
  ['<a`b`', 'O', [], '<a ', ''],
  ['<a>`b`', 'O', ['`b`'], '<a> ', 'plain'],
  ['a < `b`', 'O', ['`b`'], 'a <  ', 'plain'],
  ['><`b`', 'O', [], '>< ', ''],
  ['<b> `a`', 'H', [], '<b>  ', 'tags'],
  ['<b> `a`', 'O', ['`a`'], '<b>  ', 'plain'],
  ['</b> `a`', 'H', [], '</b>  ', 'tags'],
  ['<!x `a`', 'H', [], '<!x  ', 'tags'],
  ['<?x `a`', 'H', [], '<?x  ', 'tags'],
  ['<B `a`', 'H', [], '<B  ', 'tags'],
  ['< b `a`', 'H', ['`a`'], '< b  ', 'plain'],
  ['`<b>`', 'H', ['`<b>`'], ' ', 'plain'],
  ['`a` <b>', 'H', [], '  <b>', 'tags'],
  ['a $ b', 'O', [], 'a $ b', 'plain dollar'],
  ['`a` b `c` d `', 'O', [], '  b   d `', ''],
  ['a`b`c`d`e', 'O', ['`b`', '`d`'], 'a c e', 'plain'],
  ['x `a` www.`b`', 'O', [], 'x   www. ', ''],
  ['x\\', 'O', [], 'x\\', 'plain'],
])('the spans of %j at the start of a paragraph (%s): %j', (line, way, ...rest) => {
  expect(read(line, way, 'plain')).toEqual(rest);
});

test.each<[line: string, way: Way, before: string, spans: string[], outside: string, after: string]>([
  ['`a$`', 'O', 'plain dollar', [], ' ', 'dollar'],
  ['a', 'O', '', [], 'a', ''],
  ['`a`', 'O', '', [], ' ', ''],
  ['`a`', 'E', '', ['`a`'], ' ', 'plain'],
  ['a', 'O', 'plain tags', [], 'a', 'plain tags'],
])('the spans of %j (%s) after a line with %j: %j', (line, way, before, ...rest) => {
  expect(read(line, way, before)).toEqual(rest);
});

test('at most two hundred spans of a line count, and none with an unpaired mark', () => {
  const counts = (line: string) =>
    (['E', 'O'] as const).map((way) => {
      const [spans] = read(line, way, 'plain');
      return spans?.length;
    });
  expect([counts('`a` '.repeat(200)), counts('`a` '.repeat(201))]).toEqual([
    [200, 200],
    [200, 0],
  ]);
});
