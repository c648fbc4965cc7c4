import { setTimeout as sleep } from 'node:timers/promises';
import { Octokit } from '@octokit/rest';
import type { ContentBudget } from './content-budget.ts';
import { decideRetry, isRateLimited } from './decide-retry.ts';
import { describeFailure, type Failure } from './describe-failure.ts';
import { isRefusal, isTurnedAway, isUntyped } from './is-outage.ts';
import { ownOriginFetch } from './own-origin-fetch.ts';

/** What we call ourselves to GitHub. */
export const userAgent = 'anode-ci';

const silent = (): void => {};

/** For clients whose failures are told by whoever catches them. */
export const silentLog = { debug: silent, info: silent, warn: silent, error: silent };

/** Gives a token that is valid now. With `fresh`, one that was made for this call, where tokens can be made. */
export type TokenSource = (fresh?: boolean) => Promise<string>;

export interface OctokitOptions {
  /** REST base URL without a slash at its end. */
  readonly apiUrl: string;
  /** A source is asked for each request, so that a client may outlive its tokens. */
  readonly token: string | TokenSource;
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
 * A client of GitHub's REST and GraphQL APIs that keeps to the rate limits and tries reads again, within bounds (see
 * `decideRetry`). A write that is answered with 401, 403 or 404 is tried once more with a fresh token: GitHub refuses a
 * token for seconds after it was made, and for good after permissions changed. Sends no request until it is asked to.
 */
export function createOctokit(options: OctokitOptions): Octokit {
  const { wait = sleep, signal, onRetry = () => {}, budget, token } = options;
  const octokit = new Octokit({
    ...(typeof token === 'string' ? { auth: token } : {}),
    baseUrl: options.apiUrl,
    userAgent,
    log: silentLog,
    request: { fetch: ownOriginFetch(options.apiUrl), ...(signal === undefined ? {} : { signal }) },
  });
  octokit.hook.wrap('request', async (request, parameters) => {
    const isWrite = writes(parameters);
    const free = budget === undefined || !isWrite;
    const method = isWrite ? parameters.method : 'GET';
    let renewed = false;
    let fresh = false;
    for (let retries = 0; ; retries += 1) {
      if (!free && !(retries === 0 && Reflect.get(parameters.request ?? {}, 'paidFor') === true)) {
        await budget.take('post', signal);
        signal?.throwIfAborted();
      }
      const waitAfter = (failure: Failure): number | null => {
        if (isWrite && !renewed && typeof token !== 'string' && isDenied(failure)) {
          renewed = true;
          fresh = true;
          return renewalWaitMs;
        }
        const delay = decideRetry({ ...failure, method, retries, now: Date.now() });
        if (delay !== null && isRateLimited(failure)) budget?.rest(delay);
        return delay;
      };
      // In place: the hooks of Octokit share one object, and drop any other.
      if (typeof token !== 'string') parameters.headers.authorization = `token ${await token(fresh)}`;
      fresh = false;
      let delay: number | null;
      try {
        const answer = await request(parameters);
        const failure = failureIn(answer);
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

/** Copies of GitHub's data know a new token, or a new right, some moments later. */
const renewalWaitMs = 1_000;

/** Statuses by which GitHub answers a token that it does not take, or whose rights it does not see yet. */
const deniedStatuses: readonly (number | null)[] = [401, 403, 404];

const isDenied = (failure: Failure): boolean =>
  deniedStatuses.includes(failure.status) && !isRateLimited(failure);

/** The failure in an answer of GraphQL with 200, by the status that REST would have; null where there is none to try again. */
function failureIn({ data, headers }: { data: unknown; headers: Failure['headers'] }): Failure | null {
  const errors: unknown = typeof data === 'object' && data !== null && Reflect.get(data, 'errors');
  if (!Array.isArray(errors)) return null;
  const failure = (status: number): Failure => ({ status, headers: { ...headers }, message: '' });
  if (errors.some(isTurnedAway)) return failure(429);
  if (errors.length > 0 && errors.every(isUntyped)) return failure(502);
  return errors.some(isRefusal) ? failure(403) : null;
}

/** Whether a request makes or changes something. Of GraphQL only mutations do. */
function writes({ method, url, query }: { method: string; url: string; query?: unknown }): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return !url.endsWith('/graphql') || (typeof query === 'string' && /^\s*mutation\b/.test(query));
}
