import { GraphqlRefusal } from '../graphql/refusal.ts';
import { ApiError } from '../protocol/api-error.ts';
import type { World } from '../world.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  /** Who asks; '' for nobody. */
  readonly actor: string;
  readonly text: string;
}

type Resource = 'core' | 'graphql';

export interface Traffic {
  /** Counts a request; throws where it is one too many. */
  readonly take: (asked: Asked) => void;
  /** To be called when a request is answered. */
  readonly done: () => void;
  /** Turns GitHub's secondary limits on, or off again: they are off at first, as GitHub's own are met by bursts alone. */
  readonly limitBursts: (limited?: boolean) => void;
  /** Takes the points of a GraphQL query; throws where the hour has too few left. */
  readonly spend: (actor: string, points: number) => void;
  /** What the headers of an answer say of the hour. GraphQL has one of its own, which counts points. */
  readonly headers: (actor: string, resource: Resource) => Record<string, string>;
}

/** True for the body of a GraphQL request that writes. */
export const isMutation = (text: string): boolean => /"query":\s*"(?:\s|\\n)*mutation\b/.test(text);

const minute = 60_000;
const hour = 60 * minute;

const secondary = () =>
  new ApiError(
    403,
    'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
    undefined,
    { 'retry-after': '60' },
  );

/** The limits of requests by the world's clock (GitHub Docs, "Rate limits for the REST API", "REST API endpoints for search"). */
export function createTraffic(world: World): Traffic {
  const { limits } = world;
  const hours = new Map<string, { readonly from: number; used: number }>();
  const times = new Map<string, number[]>();
  let bursts = false;
  let underWay = 0;

  const most: Readonly<Record<Resource, number>> = {
    core: limits.hourlyRequests,
    graphql: limits.graphqlPoints,
  };
  const hourOf = (actor: string, resource: Resource) => {
    const now = world.now().getTime();
    const known = hours.get(`${resource} ${actor}`);
    if (known !== undefined && now < known.from + hour) return known;
    const fresh = { from: now, used: 0 };
    hours.set(`${resource} ${actor}`, fresh);
    return fresh;
  };
  /** Notes that something happened now, and says how often it did within so many milliseconds. */
  const count = (what: string, within: number): number => {
    const now = world.now().getTime();
    const recent = (times.get(what) ?? []).filter((time) => time > now - within);
    times.set(what, [...recent, now]);
    return recent.length + 1;
  };
  const headers: Traffic['headers'] = (actor, resource) => {
    const { from, used } = hourOf(actor, resource);
    return {
      'x-ratelimit-limit': String(most[resource]),
      'x-ratelimit-remaining': String(Math.max(most[resource] - used, 0)),
      'x-ratelimit-used': String(used),
      'x-ratelimit-reset': String(Math.floor((from + hour) / 1000)),
      'x-ratelimit-resource': resource,
    };
  };
  const exceeded = (actor: string, more: Record<string, string> = {}) =>
    new ApiError(403, `API rate limit exceeded for ${actor}.`, undefined, {
      ...headers(actor, 'core'),
      ...more,
    });

  return {
    headers,
    limitBursts: (limited = true) => {
      bursts = limited;
    },
    spend: (actor, points) => {
      const spent = hourOf(actor, 'graphql');
      // GitHub's page names no type. `RATE_LIMITED` was seen for years, `RATE_LIMIT` of late.
      const exceeds = spent.used + points > most.graphql;
      spent.used = exceeds ? most.graphql : spent.used + points;
      if (exceeds) throw new GraphqlRefusal('RATE_LIMIT', `API rate limit already exceeded for ${actor}.`);
    },
    take: ({ method, path, actor, text }) => {
      underWay += 1;
      if (path !== '/graphql') {
        const spent = hourOf(actor, 'core');
        spent.used += 1;
        if (spent.used > most.core) throw exceeded(actor);
      }
      if (path.startsWith('/search/') && count(`search ${actor}`, minute) > limits.searchesPerMinute)
        throw exceeded(actor, { 'x-ratelimit-remaining': '0', 'x-ratelimit-resource': 'search' });
      if (!bursts) return;
      if (underWay > limits.concurrent) throw secondary();
      const makes = path === '/graphql' ? isMutation(text) : method !== 'GET';
      if (!makes || path.endsWith('/access_tokens')) return;
      if (count(`minute ${actor}`, minute) > limits.contentPerMinute) throw secondary();
      if (count(`hour ${actor}`, hour) > limits.contentPerHour) throw secondary();
    },
    done: () => {
      underWay -= 1;
    },
  };
}
