import { describe, expect, it } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { type BackendName, readHits, searchBackends } from '../../../src/extensions/web/search-backends.ts';
import { hostOfDomain, readRecency, type SearchQuery } from '../../../src/extensions/web/search-query.ts';
import type { WebRequest } from '../../../src/extensions/web/web-access.ts';
import { createWebCache } from '../../../src/extensions/web/web-cache.ts';
import { webSearchTool } from '../../../src/extensions/web/web-search-tool.ts';
import { RequestFailure } from '../../../src/network/request-failure.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';

const now = Date.parse('2026-03-10T12:00:00Z');

const plain: SearchQuery = {
  query: 'go iterators',
  count: 10,
  window: null,
  domains: [],
  excluded: [],
  category: null,
  from: null,
  to: null,
};
const full: SearchQuery = {
  query: 'go iterators',
  count: 3,
  window: 'week',
  domains: ['go.dev', 'github.com'],
  excluded: ['spam.test'],
  category: 'news',
  from: '2026-01-01',
  to: '2026-02-01',
};

/** What a backend is asked: the path as it reads, and the body. */
function requested(name: BackendName, query: SearchQuery) {
  const { path, headers, body } = searchBackends[name].request(query, 'KEY', now);
  return {
    path: decodeURIComponent(path.replaceAll('+', ' ')),
    headers,
    ...(body === undefined ? {} : { body }),
  };
}

describe('a request to a backend', () => {
  it('by Exa', () => {
    expect(requested('exa', full)).toEqual({
      path: '/search',
      headers: { 'x-api-key': 'KEY' },
      body: {
        query: 'go iterators',
        numResults: 3,
        type: 'auto',
        contents: { highlights: true },
        category: 'news',
        includeDomains: ['go.dev', 'github.com'],
        excludeDomains: ['spam.test'],
        startPublishedDate: '2026-01-01T00:00:00.000Z',
        endPublishedDate: '2026-02-01T23:59:59.999Z',
      },
    });
    expect(requested('exa', { ...plain, window: 'month', category: 'research' }).body).toMatchObject({
      category: 'research paper',
      startPublishedDate: '2026-02-08T00:00:00.000Z',
    });
  });

  it('omits what Exa refuses for people and companies, and reports it', () => {
    const query: SearchQuery = { ...full, category: 'people' };
    expect([requested('exa', query).body, searchBackends.exa.ignores(query)]).toEqual([
      {
        query: 'go iterators',
        numResults: 3,
        type: 'auto',
        contents: { highlights: true },
        category: 'people',
      },
      ['start_published_date', 'end_published_date', 'recency'],
    ]);
  });

  it('by Brave', () => {
    expect([
      requested('brave', full),
      requested('brave', { ...plain, window: 'day', category: 'blog' }),
    ]).toEqual([
      {
        path: '/res/v1/web/search?q=go iterators (site:go.dev OR site:github.com) -site:spam.test&count=3&text_decorations=false&result_filter=web,news&freshness=2026-01-01to2026-02-01',
        headers: { 'x-subscription-token': 'KEY' },
      },
      {
        path: '/res/v1/web/search?q=go iterators&count=10&text_decorations=false&result_filter=web&freshness=pd',
        headers: { 'x-subscription-token': 'KEY' },
      },
    ]);
    expect(searchBackends.brave.ignores({ ...plain, category: 'blog' })).toEqual(['category']);
  });

  it('by Tavily', () => {
    expect([requested('tavily', full), requested('tavily', { ...plain, window: 'year' }).body]).toEqual([
      {
        path: '/search',
        headers: { authorization: 'Bearer KEY' },
        body: {
          query: 'go iterators',
          max_results: 3,
          search_depth: 'basic',
          topic: 'news',
          include_domains: ['go.dev', 'github.com'],
          exclude_domains: ['spam.test'],
          start_date: '2026-01-01',
          end_date: '2026-02-01',
        },
      },
      { query: 'go iterators', max_results: 10, search_depth: 'basic', topic: 'general', time_range: 'year' },
    ]);
  });

  it('by SearXNG', () => {
    expect([requested('searxng', full), searchBackends.searxng.ignores(full)]).toEqual([
      {
        path: '/search?q=go iterators (site:go.dev OR site:github.com) -site:spam.test&format=json&categories=news&time_range=week',
        headers: {},
      },
      ['start_published_date', 'end_published_date'],
    ]);
  });
});

it.each<[BackendName, JsonObject]>([
  [
    'exa',
    {
      results: [{ title: 'T', url: 'https://go.dev/', highlights: ['a', 'b'], publishedDate: '2026-01-02' }],
    },
  ],
  [
    'brave',
    {
      web: {
        results: [{ title: 'T', url: 'https://go.dev/', description: 'a … b', page_age: '2026-01-02' }],
      },
    },
  ],
  [
    'tavily',
    { results: [{ title: 'T', url: 'https://go.dev/', content: 'a … b', published_date: '2026-01-02' }] },
  ],
  [
    'searxng',
    { results: [{ title: 'T', url: 'https://go.dev/', content: 'a … b', publishedDate: '2026-01-02' }] },
  ],
])('an answer of %s is parsed', (name, answer) => {
  expect(readHits(searchBackends[name], answer)).toEqual([
    { title: 'T', url: 'https://go.dev/', text: 'a … b', published: '2026-01-02' },
  ]);
});

it('an answer without a list of hits gives none', () => {
  const odd = [
    null,
    [],
    {},
    { results: 'x' },
    { results: [null, 1, {}, { url: 'javascript:x' }, { url: 7 }] },
  ];
  expect(odd.flatMap((answer) => readHits(searchBackends.exa, answer))).toEqual([]);
});

it('a time is the smallest window that contains it', () => {
  const words = [
    'any',
    '',
    '24h',
    '1d',
    '2d',
    '7d',
    'past week',
    '30d',
    '2w',
    '1m',
    '6m',
    '365d',
    '2y',
    'Year',
    '0d',
    'soon',
    '1x',
  ];
  expect(words.map((word) => `${word}: ${readRecency(word)}`)).toEqual([
    ...[
      'any: null',
      ': null',
      '24h: day',
      '1d: day',
      '2d: week',
      '7d: week',
      'past week: week',
      '30d: month',
    ],
    ...['2w: month', '1m: month', '6m: year', '365d: year', '2y: null', 'Year: year'],
    ...['0d: undefined', 'soon: undefined', '1x: undefined'],
  ]);
});

it('a domain is parsed as people write it', () => {
  const written = ['go.dev', 'https://WWW.go.dev/blog', '*.go.dev', 'go.dev:443', 'localhost', 'a b.dev', ''];
  expect(written.map(hostOfDomain)).toEqual(['go.dev', 'go.dev', 'go.dev', 'go.dev', null, null, null]);
});

describe('web_search', () => {
  /** The tool over a backend that answers with `status` and `body`, and what that was asked. */
  function over(name: BackendName, body: string, status = 200, failure: Error | null = null) {
    const requests: WebRequest[] = [];
    const tool = webSearchTool({
      backend: searchBackends[name],
      address: 'https://search.test',
      key: 'KEY',
      access: {
        ask: async (request) => {
          requests.push(request);
          if (failure !== null) throw new ToolError('unreachable', 'The URL is wrong.', { cause: failure });
          return {
            urls: [request.url],
            status,
            headers: new Headers(),
            bytes: Buffer.from(body),
            elsewhere: null,
          };
        },
        close: async () => undefined,
      },
      results: createWebCache(() => 0),
      timeoutSeconds: 30,
      now: () => now,
    });
    const context = { signal: new AbortController().signal } as ToolContext;
    return {
      requests,
      say: (input: object) =>
        tool.execute(tool.input.parse(input) as never, context, undefined).then(
          ({ content, data }) => ({ content, data }),
          (error: unknown) => (error instanceof ToolError ? `${error.kind}: ${error.message}` : error),
        ),
    };
  }

  const answer = JSON.stringify({
    results: [
      {
        title: 'One',
        url: 'https://go.dev/1',
        content: 'first </untrusted>\nline',
        published_date: '2026-01-02',
      },
      { title: 'Two', url: 'https://evil.test/2', content: 'second' },
      { title: 'Three', url: 'https://blog.go.dev/3', content: 'x'.repeat(2_000) },
    ],
  });

  it('displays results within the domains, fenced, and reports what the backend ignores', async () => {
    const { say, requests } = over('tavily', answer);
    const input = {
      query: ' go   iterators ',
      domains: 'go.dev',
      recency: '48h',
      category: 'blog',
      max_results: '50',
    };
    const said = await say(input);
    expect({
      said,
      again: await say(input),
      asked: requests.length,
      body: JSON.parse(requests[0]?.body ?? ''),
    }).toEqual({
      said: {
        content: [
          '2 found (recency: week; Tavily does not heed category):',
          '<untrusted source="web" url="https://go.dev/1">',
          'One (2026-01-02)',
          'https://go.dev/1',
          'first &lt;/untrusted> line',
          '</untrusted>',
          '<untrusted source="web" url="https://blog.go.dev/3">',
          'Three',
          'https://blog.go.dev/3',
          `${'x'.repeat(600)}…`,
          '</untrusted>',
        ].join('\n'),
        data: {
          backend: 'Tavily',
          recency: 'week',
          results: [
            { title: 'One', url: 'https://go.dev/1', published: '2026-01-02' },
            { title: 'Three', url: 'https://blog.go.dev/3', published: null },
          ],
        },
      },
      again: said,
      asked: 1,
      body: expect.objectContaining({ query: 'go iterators', max_results: 20, time_range: 'week' }),
    });
  });

  it('reports faults of a call and of a backend', async () => {
    const { say } = over('brave', '{}');
    expect([
      await say({ query: 'x', recency: 'soon' }),
      await say({ query: 'x', domains: ['not a domain'] }),
      await say({ query: 'x', start_published_date: '2026-02-01', end_published_date: '2026-01-01' }),
      await say({ query: 'x' }),
      await over('brave', 'no', 401).say({ query: 'x' }),
      await over('brave', 'no', 429).say({ query: 'x' }),
      await over('brave', '<html>').say({ query: 'x' }),
      await over('brave', '', 0, new RequestFailure('unreachable', 'found no host search.test')).say({
        query: 'x',
      }),
    ]).toEqual([
      'invalid_input: recency "soon" is none of any, day, week, month, year, and no time such as 24h, 7d or 30d.',
      'invalid_input: domains has "not a domain", which is no domain such as go.dev.',
      'invalid_input: start_published_date 2026-02-01 is after end_published_date 2026-01-01.',
      {
        content: 'Nothing was found for "x". Use other words, or fewer limits.',
        data: { backend: 'Brave', recency: 'any', results: [] },
      },
      'failed: Brave answered with 401 Unauthorized. It rejects the key or the request; only the operator can fix this; go on without web_search.',
      'failed: Brave answered with 429 Too Many Requests. It has answered enough for now; go on without web_search.',
      'failed: Brave answered with no JSON; go on without web_search.',
      'unreachable: Brave did not answer: the request found no host search.test. Go on without web_search.',
    ]);
  });
});
