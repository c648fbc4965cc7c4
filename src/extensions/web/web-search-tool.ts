import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import type { Json } from '../../contract/json.ts';
import { RequestFailure } from '../../network/request-failure.ts';
import { integer, stringList, unlessNull } from '../../tools/input/lenient.ts';
import { extensionAliases } from '../../tools/registry/extension-aliases.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { readHits, type SearchBackend } from './search-backends.ts';
import {
  categories,
  hostOfDomain,
  isOf,
  readRecency,
  type SearchHit,
  type SearchQuery,
} from './search-query.ts';
import { fencedText, httpStatus } from './show-answer.ts';
import type { WebAccess } from './web-access.ts';
import type { WebCache } from './web-cache.ts';

const mostResults = 20;
const mostDomains = 20;
/** Maximum displayed characters of a hit. */
const mostTextCharacters = 600;

const date = () =>
  unlessNull(
    z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/)
      .refine((text) => !Number.isNaN(Date.parse(text)), 'no such day'),
  );

const input = z.object({
  query: z.string().min(1).max(400),
  max_results: integer(z.int().positive()).default(10).describe('at most 20'),
  recency: z.string().max(40).default('any').describe('any, day, week, month, year, or 24h, 7d, 30d'),
  domains: unlessNull(stringList(z.array(z.string().min(1)).max(mostDomains))).describe('only these'),
  exclude_domains: unlessNull(stringList(z.array(z.string().min(1)).max(mostDomains))),
  category: unlessNull(z.enum(categories)),
  start_published_date: date().describe('YYYY-MM-DD'),
  end_published_date: date().describe('YYYY-MM-DD'),
});

/** Settings and services of `web_search`. */
export interface SearchServices {
  readonly backend: SearchBackend;
  /** Its address without a slash at the end. */
  readonly address: string;
  readonly key: string;
  /** Asks the backend and nothing else. */
  readonly access: WebAccess;
  readonly results: WebCache<readonly SearchHit[]>;
  readonly timeoutSeconds: number;
  readonly now: () => number;
}

/** The tool that searches the web. */
export function webSearchTool(search: SearchServices): Tool {
  return defineTool({
    name: 'web_search',
    aliases: extensionAliases.web_search,
    argumentAliases: {
      limit: 'max_results',
      num_results: 'max_results',
      count: 'max_results',
      time_range: 'recency',
      include_domains: 'domains',
      allowed_domains: 'domains',
      blocked_domains: 'exclude_domains',
    },
    description: 'Search the web for current information. What is found is not from the people you work for.',
    exposure: 'deferred',
    input,
    level: 'external_read',
    targets: ({ query }) => ({ what: query }),
    async execute(args, context) {
      const query = queryOf(args);
      const found = await search.results.get(
        JSON.stringify(query),
        () => ask(search, query, context.signal),
        (hits) => JSON.stringify(hits).length,
      );
      const hits = found.filter((hit) => isWanted(hit, query)).slice(0, query.count);
      const data = {
        backend: search.backend.title,
        recency: query.window ?? 'any',
        results: hits.map(({ title, url, published }) => ({ title: title.slice(0, 200), url, published })),
      };
      const ignored = search.backend.ignores(query);
      const notes = [
        ...(query.window === null ? [] : [`recency: ${query.window}`]),
        ...(ignored.length === 0 ? [] : [`${search.backend.title} does not heed ${ignored.join(', ')}`]),
      ];
      const suffix = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
      if (hits.length === 0)
        return {
          content: `Nothing was found for "${query.query}"${suffix}. Use other words, or fewer limits.`,
          data,
        };
      return { content: [`${hits.length} found${suffix}:`, ...hits.map(renderHit)].join('\n'), data };
    },
  });
}

function queryOf(args: z.output<typeof input>): SearchQuery {
  const window = readRecency(args.recency);
  if (window === undefined)
    throw invalidInput(
      `recency "${args.recency}" is none of any, day, week, month, year, and no time such as 24h, 7d or 30d.`,
    );
  const [from, to] = [args.start_published_date ?? null, args.end_published_date ?? null];
  if (from !== null && to !== null && from > to)
    throw invalidInput(`start_published_date ${from} is after end_published_date ${to}.`);
  return {
    query: args.query.replaceAll(/\s+/g, ' ').trim(),
    count: Math.min(args.max_results, mostResults),
    window,
    domains: hostsOf('domains', args.domains ?? []),
    excluded: hostsOf('exclude_domains', args.exclude_domains ?? []),
    category: args.category ?? null,
    from,
    to,
  };
}

function hostsOf(name: string, domains: readonly string[]): readonly string[] {
  return domains.map((domain) => {
    const host = hostOfDomain(domain);
    if (host !== null) return host;
    throw invalidInput(`${name} has "${domain.slice(0, 100)}", which is no domain such as go.dev.`);
  });
}

async function ask(
  { backend, address, key, access, timeoutSeconds, now }: SearchServices,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<readonly SearchHit[]> {
  const { path, headers, body } = backend.request(query, key, now());
  const { status, bytes } = await access
    .ask(
      {
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        url: `${address}${path}`,
        ownHeaders: {
          ...(body === undefined ? headers : { ...headers, 'content-type': 'application/json' }),
          accept: 'application/json',
        },
        timeoutSeconds,
        mostBytes: 2 * 1024 ** 2,
      },
      signal,
    )
    .catch((error: unknown) => {
      if (!(error instanceof ToolError) || !(error.cause instanceof RequestFailure)) throw error;
      // The address is the operator's: the model can do nothing about it.
      const text = `${backend.title} did not answer: the request ${error.cause.message}. Go on without web_search.`;
      throw new ToolError(error.kind, text, { cause: error.cause });
    });
  if (status !== 200)
    throw new ToolError(
      'failed',
      `${backend.title} answered with ${httpStatus({ status })}. ${reasonFor(status)}; go on without web_search.`,
    );
  try {
    return readHits(backend, JSON.parse(bytes.toString('utf8')) as Json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ToolError('failed', `${backend.title} answered with no JSON; go on without web_search.`);
  }
}

function reasonFor(status: number): string {
  if (status === 401 || status === 403)
    return 'It rejects the key or the request; only the operator can fix this';
  return status === 429 || status === 402 ? 'It has answered enough for now' : 'It cannot answer this';
}

/** Applied here too, as not every engine behind a backend honours domains. */
function isWanted({ url }: SearchHit, { domains, excluded }: SearchQuery): boolean {
  return (
    (domains.length === 0 || domains.some((host) => isOf(url, host))) &&
    !excluded.some((host) => isOf(url, host))
  );
}

function renderHit({ title, url, text, published }: SearchHit): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  const short =
    plain.length > mostTextCharacters ? `${plain.slice(0, mostTextCharacters).toWellFormed()}…` : plain;
  const head = published === null ? title : `${title} (${published})`;
  return fencedText(
    url.slice(0, 500),
    [head.slice(0, 300), url, short].filter((line) => line !== '').join('\n'),
  );
}
