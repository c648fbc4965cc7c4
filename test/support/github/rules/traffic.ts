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
  readonly take: (requested: Asked) => void;
  /** To be called when a request is answered. */
  readonly done: () => void;
  /**
   * Switches GitHub's secondary limits on or off. They start as off, because only bursts reach
   * GitHub's own.
   */
  readonly limitBursts: (limited?: boolean) => void;
  /** Takes the points of a GraphQL query; throws where the hour has too few left. */
  readonly spend: (actor: string, points: number) => void;
  /** The headers of an answer about the hour. GraphQL has an hour of its own, which counts points. */
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

/** The account of a workflow's `GITHUB_TOKEN`. GitHub counts it by repository, the stand-in over all of them. */
const workflowActor = 'github-actions[bot]';

/** The limits of requests by the world's clock (GitHub Docs, "Rate limits for the REST API", "REST API endpoints for search"). */
export function createTraffic(world: World): Traffic {
  const { limits } = world;
  const hours = new Map<string, { readonly from: number; used: number }>();
  const times = new Map<string, { readonly at: number; readonly weight: number }[]>();
  let bursts = false;
  let underWay = 0;

  const mostOf = (actor: string, resource: Resource): number => {
    const workflow = actor === workflowActor;
    if (resource === 'graphql')
      return workflow ? Math.min(limits.workflowPoints, limits.graphqlPoints) : limits.graphqlPoints;
    if (actor === '') return Math.min(limits.anonymousRequests, limits.hourlyRequests);
    return workflow ? Math.min(limits.workflowRequests, limits.hourlyRequests) : limits.hourlyRequests;
  };
  const hourOf = (actor: string, resource: Resource) => {
    const now = world.now().getTime();
    const known = hours.get(`${resource} ${actor}`);
    if (known !== undefined && now < known.from + hour) return known;
    const fresh = { from: now, used: 0 };
    hours.set(`${resource} ${actor}`, fresh);
    return fresh;
  };
  /** Adds a weight now, and returns the sum of the weights within so many milliseconds. */
  const count = (what: string, within: number, weight = 1): number => {
    const now = world.now().getTime();
    const recent = (times.get(what) ?? []).filter(({ at }) => at > now - within);
    recent.push({ at: now, weight });
    times.set(what, recent);
    return recent.reduce((sum, one) => sum + one.weight, 0);
  };
  const headers: Traffic['headers'] = (actor, resource) => {
    const { from, used } = hourOf(actor, resource);
    return {
      'x-ratelimit-limit': String(mostOf(actor, resource)),
      'x-ratelimit-remaining': String(Math.max(mostOf(actor, resource) - used, 0)),
      'x-ratelimit-used': String(used),
      'x-ratelimit-reset': String(Math.floor((from + hour) / 1000)),
      'x-ratelimit-resource': resource,
    };
  };
  const exceeded = (actor: string, more: Record<string, string> = {}) =>
    new ApiError(403, `API rate limit exceeded for ${actor === '' ? '127.0.0.1' : actor}.`, undefined, {
      ...headers(actor, 'core'),
      ...more,
    });

  return {
    headers,
    limitBursts: (limited = true) => {
      bursts = limited;
    },
    spend: (actor, points) => {
      const usage = hourOf(actor, 'graphql');
      // GitHub's page names no type. `RATE_LIMITED` was seen for years, `RATE_LIMIT` of late.
      const most = mostOf(actor, 'graphql');
      const exceeds = usage.used + points > most;
      usage.used = exceeds ? most : usage.used + points;
      if (exceeds) throw new GraphqlRefusal('RATE_LIMIT', `API rate limit already exceeded for ${actor}.`);
    },
    take: ({ method, path, actor, text }) => {
      underWay += 1;
      if (path !== '/graphql') {
        const usageSoFar = hourOf(actor, 'core');
        usageSoFar.used += 1;
        if (usageSoFar.used > mostOf(actor, 'core')) throw exceeded(actor);
      }
      const searches = actor === '' ? limits.anonymousSearches : limits.searchesPerMinute;
      if (path.startsWith('/search/') && count(`search ${actor}`, minute) > searches)
        throw exceeded(actor, { 'x-ratelimit-remaining': '0', 'x-ratelimit-resource': 'search' });
      if (!bursts) return;
      if (underWay > limits.concurrent) throw secondary();
      const graphql = path === '/graphql';
      const makes = graphql ? isMutation(text) : method !== 'GET' && method !== 'HEAD';
      const points = count(`${graphql ? 'graphql' : 'rest'} points ${actor}`, minute, makes ? 5 : 1);
      if (points > (graphql ? limits.graphqlPointsPerMinute : limits.restPointsPerMinute)) throw secondary();
      if (!makes || path.endsWith('/access_tokens')) return;
      if (count(`minute ${actor}`, minute) > limits.contentPerMinute) throw secondary();
      if (count(`hour ${actor}`, hour) > limits.contentPerHour) throw secondary();
    },
    done: () => {
      underWay -= 1;
    },
  };
}
