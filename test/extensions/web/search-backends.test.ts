import { describe, expect, test } from 'vitest';
import { type BackendName, readHits, searchBackends } from '../../../src/extensions/web/search-backends.ts';
import {
  firstDay,
  hostOfDomain,
  isOf,
  readRecency,
  type SearchQuery,
} from '../../../src/extensions/web/search-query.ts';

const now = Date.parse('2026-03-10T12:00:00Z');
const plain: SearchQuery = {
  ...{ query: 'go', count: 10, window: null, domains: [], excluded: [] },
  ...{ category: null, from: null, to: null },
};

test('each backend has its name, its address and the variable of its key', () => {
  expect(
    Object.entries(searchBackends).map(([name, { title, address, variables }]) => [
      name,
      title,
      address,
      variables,
    ]),
  ).toEqual([
    ['exa', 'Exa', 'https://api.exa.ai', ['EXA_API_KEY']],
    ['brave', 'Brave', 'https://api.search.brave.com', ['BRAVE_API_KEY', 'BRAVE_SEARCH_API_KEY']],
    ['tavily', 'Tavily', 'https://api.tavily.com', ['TAVILY_API_KEY']],
    ['searxng', 'SearXNG', null, ['SEARXNG_URL']],
  ]);
});

const categories = [null, 'company', 'people', 'news', 'research', 'blog'] as const;

/** The answer of a backend for each category, none first. */
const forEach = <Answer>(ask: (query: SearchQuery) => Answer, more: Partial<SearchQuery> = {}) =>
  categories.map((category) => ask({ ...plain, ...more, category }));

/** The fields of the request of a backend: those of its body, or of its path. */
function fields(name: BackendName, query: SearchQuery): unknown {
  const { path, body } = searchBackends[name].request(query, 'KEY', now);
  return body ?? Object.fromEntries(new URL(path, 'https://a.test').searchParams);
}

describe('exa', () => {
  const body = { query: 'go', numResults: 10, type: 'auto', contents: { highlights: true } };

  test('has its own term for each category', () => {
    expect(forEach((query) => fields('exa', query))).toEqual([
      body,
      { ...body, category: 'company' },
      { ...body, category: 'people' },
      { ...body, category: 'news' },
      { ...body, category: 'research paper' },
      { ...body, category: 'personal site' },
    ]);
  });

  test('gets domains except for people, and excluded ones except for people and companies', () => {
    const requested = forEach((query) => fields('exa', query), { domains: ['a.b'], excluded: ['c.d'] });
    const within = { includeDomains: ['a.b'] };
    const both = { ...within, excludeDomains: ['c.d'] };
    expect(requested).toEqual([
      { ...body, ...both },
      { ...body, category: 'company', ...within },
      { ...body, category: 'people' },
      { ...body, category: 'news', ...both },
      { ...body, category: 'research paper', ...both },
      { ...body, category: 'personal site', ...both },
    ]);
  });

  test('gets each date separately, and the first day of a window without one', () => {
    expect([
      fields('exa', { ...plain, from: '2026-01-01' }),
      fields('exa', { ...plain, to: '2026-01-02' }),
      fields('exa', { ...plain, window: 'day' }),
      fields('exa', { ...plain, window: 'day', from: '2026-01-01' }),
      fields('exa', { ...plain, window: 'day', category: 'company' }),
    ]).toEqual([
      { ...body, startPublishedDate: '2026-01-01T00:00:00.000Z' },
      { ...body, endPublishedDate: '2026-01-02T23:59:59.999Z' },
      { ...body, startPublishedDate: '2026-03-09T00:00:00.000Z' },
      { ...body, startPublishedDate: '2026-01-01T00:00:00.000Z' },
      { ...body, category: 'company' },
    ]);
  });

  test('ignores dates and windows for people and companies', () => {
    const { ignores } = searchBackends.exa;
    const all = { from: '2026-01-01', to: '2026-01-02', window: 'day' } as const;
    const dates = ['start_published_date', 'end_published_date', 'recency'];
    expect([
      forEach(ignores, all),
      forEach(ignores),
      ignores({ ...plain, category: 'people', from: '2026-01-01' }),
      ignores({ ...plain, category: 'people', to: '2026-01-01' }),
      ignores({ ...plain, category: 'people', window: 'day' }),
    ]).toEqual([
      [[], dates, dates, [], [], []],
      [[], [], [], [], [], []],
      ['start_published_date'],
      ['end_published_date'],
      ['recency'],
    ]);
  });
});

describe('brave', () => {
  const requests = { q: 'go', count: '10', text_decorations: 'false', result_filter: 'web' };

  test('supports news besides pages, and no other category', () => {
    expect([forEach((query) => fields('brave', query)), forEach(searchBackends.brave.ignores)]).toEqual([
      [requests, requests, requests, { ...requests, result_filter: 'web,news' }, requests, requests],
      [[], ['category'], ['category'], [], ['category'], ['category']],
    ]);
  });

  test('accepts a window, or dates instead of it', () => {
    const fresh = (query: Partial<SearchQuery>) =>
      (fields('brave', { ...plain, ...query }) as { freshness?: string }).freshness;
    expect([
      fresh({ window: 'day' }),
      fresh({ window: 'week' }),
      fresh({ window: 'month' }),
      fresh({ window: 'year' }),
      fresh({ window: 'year', from: '2026-01-01' }),
      fresh({ to: '2026-01-02' }),
      fresh({}),
    ]).toEqual(['pd', 'pw', 'pm', 'py', '2026-01-01to2026-03-10', '1990-01-01to2026-01-02', undefined]);
  });

  test('gets domains as words of the query', () => {
    const words = (domains: string[], excluded: string[]) =>
      (fields('brave', { ...plain, domains, excluded }) as { q: string }).q;
    expect([words(['a.b'], []), words(['a.b', 'c.d'], ['e.f', 'g.h']), words([], ['e.f'])]).toEqual([
      'go site:a.b',
      'go (site:a.b OR site:c.d) -site:e.f -site:g.h',
      'go -site:e.f',
    ]);
  });
});

describe('tavily', () => {
  const body = { query: 'go', max_results: 10, search_depth: 'basic', topic: 'general' };

  test('supports news, and no other category', () => {
    expect([forEach((query) => fields('tavily', query)), forEach(searchBackends.tavily.ignores)]).toEqual([
      [body, body, body, { ...body, topic: 'news' }, body, body],
      [[], ['category'], ['category'], [], ['category'], ['category']],
    ]);
  });

  test('accepts a window only without dates', () => {
    expect([
      fields('tavily', { ...plain, window: 'day' }),
      fields('tavily', { ...plain, window: 'day', from: '2026-01-01' }),
      fields('tavily', { ...plain, window: 'day', to: '2026-01-02' }),
    ]).toEqual([
      { ...body, time_range: 'day' },
      { ...body, start_date: '2026-01-01' },
      { ...body, end_date: '2026-01-02' },
    ]);
  });
});

test('SearXNG supports news and science, and windows instead of dates', () => {
  const requestLog = { q: 'go', format: 'json' };
  const { ignores } = searchBackends.searxng;
  expect([
    forEach((query) => fields('searxng', query)),
    forEach(ignores),
    fields('searxng', { ...plain, window: 'month' }),
    ignores({ ...plain, from: '2026-01-01' }),
    ignores({ ...plain, to: '2026-01-01' }),
  ]).toEqual([
    [
      requestLog,
      requestLog,
      requestLog,
      { ...requestLog, categories: 'news' },
      { ...requestLog, categories: 'science' },
      requestLog,
    ],
    [[], ['category'], ['category'], [], [], ['category']],
    { ...requestLog, time_range: 'month' },
    ['start_published_date'],
    ['end_published_date'],
  ]);
});

test('the first non-empty field of a hit is used', () => {
  const hit = (more: object) =>
    readHits(searchBackends.exa, { results: [{ url: 'HTTP://a.test', ...more }] });
  const read = { title: '', url: 'HTTP://a.test', text: '', published: null };
  expect([
    ...hit({ highlights: ['a', 1, 'b'], summary: 's', text: 't' }),
    ...hit({ highlights: [' '], summary: 's', text: 't' }),
    ...hit({ highlights: [], summary: '', text: 't' }),
    ...hit({ text: 7 }),
    ...hit({ title: 'T', publishedDate: '2'.repeat(41) }),
    ...readHits(searchBackends.brave, {
      web: { results: [{ url: 'https://a.test', extra_snippets: ['x', 'y'], age: 'a day' }] },
    }),
    ...readHits(searchBackends.exa, { results: [{ url: 'see https://a.test' }, { url: 'ftp://a.test' }] }),
  ]).toEqual([
    { ...read, text: 'a … b' },
    { ...read, text: 's' },
    { ...read, text: 't' },
    read,
    { ...read, title: 'T', published: '2'.repeat(40) },
    { ...read, url: 'https://a.test', text: 'x … y', published: 'a day' },
  ]);
});

test.for([
  [['any', ' anytime ', 'ALL', 'none', 'past any'], null],
  [['day', 'past day', 'last_day', 'last-day', 'LAST  Day', '24 hours', '1d', '1day', '24h'], 'day'],
  [['week', '25h', '7d', '1w', '168h'], 'week'],
  [['month', '169h', '8d', '31d', '1m', '744h'], 'month'],
  [['year', '745h', '32d', '366d', '1y', '12m', '8784h'], 'year'],
  [['367d', '2y', '99999h', '8785h'], null],
  [['0h', 'h', '1', '1x', '100000h', 'a week', '1d!', 'day 1', '-1d'], undefined],
] as const)('%j gives the window %s', ([words, window]) => {
  expect(words.map(readRecency)).toEqual(words.map(() => window));
});

test('a window starts this number of days before now', () => {
  expect((['day', 'week', 'month', 'year'] as const).map((window) => firstDay(window, now))).toEqual([
    '2026-03-09',
    '2026-03-03',
    '2026-02-08',
    '2025-03-10',
  ]);
});

test('a host is read from the forms that people write', () => {
  const read = {
    'go.dev': 'go.dev',
    ' go.dev ': 'go.dev',
    '*.go.dev': 'go.dev',
    'HTTP://WWW.go.dev/blog': 'go.dev',
    'https://go.dev:8080': 'go.dev',
    'awww.go.dev': 'awww.go.dev',
    'a-b.co.uk': 'a-b.co.uk',
    localhost: null,
    'ftp://go.dev': null,
    'a_b.dev': null,
    '.dev': null,
    'go.*.dev': null,
    '[::1]': null,
  };
  expect(Object.keys(read).map((domain) => [domain, hostOfDomain(domain)])).toEqual(Object.entries(read));
});

test('a URL belongs to its host and the hosts above it', () => {
  const of = (url: string) => isOf(url, 'go.dev');
  expect([
    of('https://go.dev/a'),
    of('https://blog.go.dev'),
    of('https://ago.dev'),
    of('https://go.dev.test'),
    of('go.dev'),
  ]).toEqual([true, true, false, false, false]);
});
