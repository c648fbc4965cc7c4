import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderMarkdown } from './pages/markdown.ts';
import { loadApi } from './protocol/api.ts';
import { samplePath, startShop } from './shop.ts';

let world: Awaited<ReturnType<typeof startShop>>;

beforeAll(async () => {
  world = await startShop({ api: loadApi() });
});

afterAll(async () => {
  await world.github.close();
});

it('a pull request has a page with its conversation, the diff of review comments, and its commits', async () => {
  const { github, repository } = world;
  repository.comment(2, { body: 'A **bold** <script>alert(1)</script> remark', author: 'ann' });
  await repository.review(2, {
    author: 'bob',
    body: 'Looked at it',
    comments: [{ path: samplePath, line: 4, body: '```suggestion\nline 4\n```' }],
  });
  const answer = await fetch(`${github.url}/acme/shop/pull/2`);
  const html = await answer.text();
  const displayed = [
    'Name line four <span>#2</span>',
    '<strong>bold</strong> &lt;script&gt;alert(1)&lt;/script&gt; remark',
    'Suggested change',
    '<tr class="add"><td class="n"></td><td class="n">4</td><td>+line four</td></tr>',
    'Name the line',
    'Closes <a href="/acme/shop/issues/1">#1 Lines have numbers</a> when merged',
  ];
  expect(displayed.filter((part) => !html.includes(part))).toEqual([]);
  expect(html).not.toContain('<script');
  expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
});

it('the first page lists all threads, and an unknown thread has none', async () => {
  const index = await (await fetch(world.github.url)).text();
  expect(index.match(/href="\/acme\/shop\/(?:pull|issues)\/\d"/g)).toEqual([
    'href="/acme/shop/issues/1"',
    'href="/acme/shop/pull/2"',
  ]);
  expect((await fetch(`${world.github.url}/acme/shop/pull/99`)).status).toBe(404);
});

it.each([
  ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
  ['[x](javascript:alert(1))', '<p>x</p>\n'],
  ['<!-- hidden -->', ''],
  ['<details open><summary>More</summary></details>', '<details open><summary>More</summary></details>'],
  ['<details onclick="x">', '&lt;details onclick=&quot;x&quot;&gt;'],
  [
    '[a](https://example.com/"onclick=x)',
    '<p><a href="https://example.com/&quot;onclick=x" rel="nofollow noreferrer">a</a></p>\n',
  ],
])('hostile Markdown %s is displayed, not run', (markdown, html) => {
  expect(renderMarkdown(markdown)).toBe(html);
});
