import { marked } from 'marked';
import { expect, test } from 'vitest';
import { hostsOf, publicBehind, publicCut, publicText } from '../../../src/reporting/text/public-text.ts';
import { samplePlan } from '../samples.ts';

test('removes images of other sites in every notation', () => {
  const hostile = [
    '![a](https://evil.test/?secret)',
    '![a]( <https://evil.test/x> "t")',
    '![a](//evil.test/x)',
    '![a](h&#116;tps://evil.test/x)',
    '![a][r]\n\n[r]: https://evil.test/x',
    '![r]\n\n[r]: https://evil.test/x',
    '<img src="https://evil.test/x">',
    '<IMG\nsrc=//evil.test/x>',
    '<picture><source srcset="https://evil.test/x"></picture>',
    '<img src="h&#116;tps&colon;//evil.test/x">',
    '<div>\n```\n\n![a](https://evil.test/x)\n```',
  ];
  const loads = hostile.filter((text) => /<(?:img|source)\b/iu.test(String(marked.parse(publicText(text)))));
  expect(loads).toEqual([]);
});

test('leaves links and images of the repository, and plain text', () => {
  const harmless = [
    '[docs](docs/a.md#b) and [x](https://github.com/acme/shop/blob/main/a.ts)',
    '![chart](docs/chart.png)',
    'see https://github.com/acme/shop/issues/3',
    'Wow! [x] a < b',
    '```html\n<!-- x --> ![a](https://evil.test/x) @ada fixes #1\n```\nend',
    'H<sub>2</sub>O',
  ];
  expect(harmless.map((text) => publicText(text))).toEqual(harmless);
});

test('removes links to hosts that are not allowed, in every notation', () => {
  const hostile = [
    '[a](https://evil.test/?x)',
    '[a]( <https://evil.test/x> "t")',
    '[a](//evil.test/x)',
    '[a](h&#116;tps://evil.test/x)',
    '[a](https:\\//evil.test/x)',
    '[a](https://github.com@evil.test/x)',
    '[a](https://github.com.evil.test/x)',
    '[a](javascript:alert)',
    '[a][r]\n\n[r]: https://evil.test/x',
    '[r]\n\n[r]:\nhttps://evil.test/x',
    '<https://evil.test/x>',
    'https://evil.test/x and http://evil.test',
    'www.evil.test/x',
    '<a href="https://evil.test">x</a>',
    '- <a\n  href="https://evil.test">x</a>',
    'a ` b\n` [x](https://evil.test) ` c',
    '- a\n  ```\n[x](https://evil.test)\n  ```',
  ];
  const linked = hostile.filter((text) =>
    /<a\b(?! href="mailto:)/iu.test(String(marked.parse(publicText(text)))),
  );
  expect(linked).toEqual([]);
});

test('allows links to configured hosts', () => {
  const text = '[a](https://docs.test/x) https://sub.wild.test/y https://wild.test.evil.test/';
  expect(publicText(text, ['docs.test', '*.wild.test'])).toBe(
    '[a](https://docs.test/x) https://sub.wild.test/y https:\u200b//wild.test.evil.test/',
  );
});

test('cuts a text before it is neutralised, and keeps to the length', () => {
  const text = `${'`@ada` '.repeat(20)}${'<'.repeat(40)}b`;
  const cut = publicCut(text, 60, '…');
  expect([cut.length <= 60, cut.replaceAll('`@ada`', '')]).toEqual([
    true,
    expect.not.stringMatching(/@(?!\u200b)/u),
  ]);
  expect(publicCut('short', 60, '…')).toBe('short');
});

test('neutralises mentions and closing words', () => {
  expect(publicText('@ada fixes #3 <!-- x')).toBe('@\u200bada fixes \u200b#3 &lt;!-- x');
});

test('allows links to the site of the repository and the hosts of the plan only', () => {
  const { repository } = samplePlan();
  const at = (clone_url: string, link_hosts?: string[]) =>
    hostsOf(samplePlan({ repository: { ...repository, clone_url }, ...(link_hosts && { link_hosts }) }));
  expect([
    at('https://github.com/acme/shop.git'),
    at('https://ghe.acme.test/acme/shop.git', ['docs.acme.test']),
    at('acme/shop'),
  ]).toEqual([['github.com'], ['ghe.acme.test', 'docs.acme.test'], ['github.com']]);
});

test('neutralises a line together with the text before it', () => {
  expect([
    publicBehind('fix: ', '#1 of #2'),
    publicBehind('Will fix\n\n', 'a/b#1 for @ada'),
    publicBehind('fix(@acme/shop): ', '#1'),
    publicBehind('', '#1'),
  ]).toEqual(['1 of #2', 'a/b 1 for ada', '#1', '#1']);
});
