import { expect, test } from 'vitest';
import { frontMatter } from '../../../src/tools/text/front-matter.ts';

test('front matter is YAML between two lines of dashes, whatever the line ends', () => {
  expect(frontMatter('\ufeff---\r\nname: a\r\nlist: [x, y]\r\n---\r\n\r\nText\r\n')).toEqual({
    fields: { name: 'a', list: ['x', 'y'] },
    body: 'Text\n',
  });
  expect(frontMatter('---\n---\nText')).toEqual({ fields: {}, body: 'Text' });
  expect(frontMatter('Text\n---\nname: a\n---\n')).toEqual({ fields: {}, body: 'Text\n---\nname: a\n---\n' });
});

test('lines with a key and a text count even if a colon in the text makes them invalid YAML', () => {
  expect(frontMatter("---\nname: a\ndescription: Ship: it's live\n---\nText").fields).toEqual({
    name: 'a',
    description: "Ship: it's live",
  });
});

test('front matter that is no mapping or does not end is ignored', () => {
  const of = (yaml: string) => frontMatter(`---\n${yaml}\n---\nText`).fields;
  expect([
    of('- a'),
    of('a: [\n  b'),
    of('just: words: and\n  more'),
    frontMatter('---\nname: a\nText').fields,
  ]).toEqual([null, null, null, null]);
  expect(frontMatter(`---\nname: ${'x'.repeat(20_000)}\n---\nText`).fields).toBeNull();
});

test('a file that would expand during parsing is ignored', () => {
  const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]'];
  for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg'].map((pair) => [...pair]))
    bomb.push(`${to}: &${to} [${Array.from({ length: 9 }, () => `*${from}`).join(',')}]`);
  const { fields } = frontMatter(`---\n${bomb.join('\n')}\n---\nText`);
  expect(Object.values(fields ?? {}).map((value) => typeof value)).toEqual(bomb.map(() => 'string'));
});
