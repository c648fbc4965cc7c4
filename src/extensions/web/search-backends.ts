import type { Json, JsonObject } from '../../contract/json.ts';
import { isJsonObject } from '../../contract/json.ts';
import { type Category, firstDay, type SearchHit, type SearchQuery, type Window } from './search-query.ts';

/** A request to a backend, below its address. */
export interface BackendRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a POST. Default: a GET. */
  readonly body?: Readonly<Record<string, Json | undefined>>;
}

/** A search backend as data. */
export interface SearchBackend {
  readonly title: string;
  /** Its usual address; null where everybody has their own. */
  readonly address: string | null;
  /** The variables for the key or the address; the first that is set is used. */
  readonly variables: readonly string[];
  readonly request: (query: SearchQuery, key: string, now: number) => BackendRequest;
  /** The path to the list of hits in an answer. */
  readonly hits: readonly string[];
  /** The fields of a hit that hold its text and its date, the best first. */
  readonly text: readonly string[];
  readonly published: readonly string[];
  /** Names of arguments that it cannot apply. */
  readonly ignores: (query: SearchQuery) => readonly string[];
}

export type BackendName = 'exa' | 'brave' | 'tavily' | 'searxng';

const exaCategories: Readonly<Record<Category, string>> = {
  company: 'company',
  people: 'people',
  news: 'news',
  research: 'research paper',
  blog: 'personal site',
};
/** Exa accepts neither dates nor excluded domains for these ("Search" in its documentation). */
const plainOnly = (category: Category | null) => category === 'company' || category === 'people';

const unlessEmpty = (hosts: readonly string[]): string[] | undefined =>
  hosts.length === 0 ? undefined : [...hosts];

/** The backends, in the order in which one is chosen whose key is set. */
export const searchBackends: Readonly<Record<BackendName, SearchBackend>> = {
  exa: {
    title: 'Exa',
    address: 'https://api.exa.ai',
    variables: ['EXA_API_KEY'],
    request: (query, key, now) => {
      const { category } = query;
      const from = query.from ?? (query.window === null ? null : firstDay(query.window, now));
      return {
        path: '/search',
        headers: { 'x-api-key': key },
        body: {
          query: query.query,
          numResults: query.count,
          type: 'auto',
          contents: { highlights: true },
          category: category === null ? undefined : exaCategories[category],
          includeDomains: category === 'people' ? undefined : unlessEmpty(query.domains),
          ...(plainOnly(category)
            ? {}
            : {
                excludeDomains: unlessEmpty(query.excluded),
                startPublishedDate: from === null ? undefined : `${from}T00:00:00.000Z`,
                endPublishedDate: query.to === null ? undefined : `${query.to}T23:59:59.999Z`,
              }),
        },
      };
    },
    hits: ['results'],
    text: ['highlights', 'summary', 'text'],
    published: ['publishedDate'],
    ignores: ({ category, from, to, window }) =>
      plainOnly(category)
        ? [
            ...(from === null ? [] : ['start_published_date']),
            ...(to === null ? [] : ['end_published_date']),
            ...(window === null ? [] : ['recency']),
          ]
        : [],
  },
  brave: {
    title: 'Brave',
    address: 'https://api.search.brave.com',
    variables: ['BRAVE_API_KEY', 'BRAVE_SEARCH_API_KEY'],
    request: (query, key, now) => ({
      path: `/res/v1/web/search?${new URLSearchParams({
        q: withSites(query),
        count: String(query.count),
        text_decorations: 'false',
        ...(query.category === 'news' ? { result_filter: 'web,news' } : { result_filter: 'web' }),
        ...freshness(query, now),
      })}`,
      headers: { 'x-subscription-token': key },
    }),
    hits: ['web', 'results'],
    text: ['description', 'extra_snippets'],
    published: ['page_age', 'age'],
    ignores: ({ category }) => (category === null || category === 'news' ? [] : ['category']),
  },
  tavily: {
    title: 'Tavily',
    address: 'https://api.tavily.com',
    variables: ['TAVILY_API_KEY'],
    request: (query, key) => ({
      path: '/search',
      headers: { authorization: `Bearer ${key}` },
      body: {
        query: query.query,
        max_results: query.count,
        search_depth: 'basic',
        topic: query.category === 'news' ? 'news' : 'general',
        include_domains: unlessEmpty(query.domains),
        exclude_domains: unlessEmpty(query.excluded),
        // It takes a window or dates, not both.
        time_range: query.from === null && query.to === null ? (query.window ?? undefined) : undefined,
        start_date: query.from ?? undefined,
        end_date: query.to ?? undefined,
      },
    }),
    hits: ['results'],
    text: ['content'],
    published: ['published_date'],
    ignores: ({ category }) => (category === null || category === 'news' ? [] : ['category']),
  },
  searxng: {
    title: 'SearXNG',
    address: null,
    variables: ['SEARXNG_URL'],
    request: (query) => ({
      path: `/search?${new URLSearchParams({
        q: withSites(query),
        format: 'json',
        ...searxngCategory(query.category),
        ...(query.window === null ? {} : { time_range: query.window }),
      })}`,
      headers: {},
    }),
    hits: ['results'],
    text: ['content'],
    published: ['publishedDate'],
    ignores: ({ category, from, to }) => [
      ...(category === 'company' || category === 'people' || category === 'blog' ? ['category'] : []),
      ...(from === null ? [] : ['start_published_date']),
      ...(to === null ? [] : ['end_published_date']),
    ],
  },
};

/** Reads the hits of an answer; invalid ones are omitted. */
export function readHits({ hits, text, published }: SearchBackend, answer: Json): readonly SearchHit[] {
  const list = hits.reduce<Json | undefined>((at, name) => (isJsonObject(at) ? at[name] : undefined), answer);
  if (!Array.isArray(list)) return [];
  return list.flatMap((hit) => {
    if (!isJsonObject(hit) || typeof hit.url !== 'string' || !/^https?:\/\//i.test(hit.url)) return [];
    const date = first(hit, published);
    return [
      {
        title: first(hit, ['title']),
        url: hit.url,
        text: first(hit, text),
        published: date === '' ? null : date.slice(0, 40),
      },
    ];
  });
}

/** The first non-empty field; a list is joined. */
function first(hit: JsonObject, names: readonly string[]): string {
  for (const name of names) {
    const value = hit[name];
    const words = Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(' … ') : value;
    if (typeof words === 'string' && words.trim() !== '') return words;
  }
  return '';
}

/** Adds domains to the query, for engines without a field for them. */
function withSites({ query, domains, excluded }: SearchQuery): string {
  const within = domains.map((host) => `site:${host}`).join(' OR ');
  return [
    query,
    ...(within === '' ? [] : [domains.length > 1 ? `(${within})` : within]),
    ...excluded.map((host) => `-site:${host}`),
  ].join(' ');
}

const braveWindows: Readonly<Record<Window, string>> = { day: 'pd', week: 'pw', month: 'pm', year: 'py' };

function freshness({ from, to, window }: SearchQuery, now: number): { freshness?: string } {
  if (from !== null || to !== null)
    return { freshness: `${from ?? '1990-01-01'}to${to ?? new Date(now).toISOString().slice(0, 10)}` };
  return window === null ? {} : { freshness: braveWindows[window] };
}

function searxngCategory(category: Category | null): { categories?: string } {
  if (category === 'news') return { categories: 'news' };
  return category === 'research' ? { categories: 'science' } : {};
}
