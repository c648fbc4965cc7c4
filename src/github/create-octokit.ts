import { setTimeout as sleep } from 'node:timers/promises';
import { Octokit } from '@octokit/rest';
import type { ContentBudget } from './content-budget.ts';
import { decideRetry, isRateLimited } from './decide-retry.ts';
import { describeFailure, type Failure } from './describe-failure.ts';
import { isTurnedAway } from './is-outage.ts';

/** What we call ourselves to GitHub. */
export const userAgent = 'anode-ci';

const silent = (): void => {};

/** For clients whose failures are told by whoever catches them. */
export const silentLog = { debug: silent, info: silent, warn: silent, error: silent };

export interface OctokitOptions {
  /** REST base URL without a slash at its end. */
  readonly apiUrl: string;
  readonly token: string;
  /** Told of each request that is tried again, and of nothing else. */
  readonly onRetry?: (message: string) => void;
  /** Waits that many milliseconds; another clock in tests. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
  readonly signal?: AbortSignal;
  /** Taken from before every request that writes, but for those marked `paidFor`. */
  readonly budget?: ContentBudget;
}

/** For a request whose write was taken from the budget before it was put together. */
export const paidFor = { paidFor: true } as const;

/**
 * A client of GitHub's REST and GraphQL APIs that acts with one token, keeps to the rate limits and tries reads
 * again, within bounds (see `decideRetry`). Sends no request until it is asked to.
 */
export function createOctokit(options: OctokitOptions): Octokit {
  const { wait = sleep, signal, onRetry = () => {}, budget } = options;
  const octokit = new Octokit({
    auth: options.token,
    baseUrl: options.apiUrl,
    userAgent,
    log: silentLog,
    ...(signal === undefined ? {} : { request: { signal } }),
  });
  octokit.hook.wrap('request', async (request, parameters) => {
    const free = budget === undefined || !writes(parameters);
    for (let retries = 0; ; retries += 1) {
      if (!free && !(retries === 0 && Reflect.get(parameters.request ?? {}, 'paidFor') === true)) {
        await budget.take('post', signal);
        signal?.throwIfAborted();
      }
      const waitAfter = (failure: Failure): number | null => {
        const delay = decideRetry({ ...failure, method: parameters.method, retries, now: Date.now() });
        if (delay !== null && isRateLimited(failure)) budget?.rest(delay);
        return delay;
      };
      let delay: number | null;
      try {
        const answer = await request(parameters);
        const failure = turnedAway(answer);
        delay = failure === null ? null : waitAfter(failure);
        if (delay === null) return answer;
      } catch (error) {
        signal?.throwIfAborted();
        delay = waitAfter(describeFailure(error));
        if (delay === null) throw error;
      }
      onRetry(`${parameters.method} ${parameters.url} failed; trying again in ${delay} ms.`);
      await wait(delay);
    }
  });
  return octokit;
}

/** The failure in an answer of GraphQL with 200 that a rate limit made; null where it is none. */
function turnedAway({ data, headers }: { data: unknown; headers: Failure['headers'] }): Failure | null {
  const errors: unknown = typeof data === 'object' && data !== null && Reflect.get(data, 'errors');
  const limited = Array.isArray(errors) && errors.some(isTurnedAway);
  return limited ? { status: 429, headers: { ...headers }, message: '' } : null;
}

/** Whether a request makes or changes something. Of GraphQL only mutations do. */
function writes({ method, url, query }: { method: string; url: string; query?: unknown }): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return !url.endsWith('/graphql') || (typeof query === 'string' && /^\s*mutation\b/.test(query));
}
