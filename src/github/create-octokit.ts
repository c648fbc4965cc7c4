import { setTimeout as sleep } from 'node:timers/promises';
import { Octokit } from '@octokit/rest';
import { omitUndefined } from '../contract/json.ts';
import { type FailedResponse, isRefusal, isTurnedAway, isUntyped, readFailedResponse } from './api-errors.ts';
import type { ContentBudget } from './content-budget.ts';
import { decideRetry, isRateLimited } from './decide-retry.ts';
import { ownOriginFetch } from './own-origin-fetch.ts';
import { redactTexts } from './redact-texts.ts';
import type { StagedWrites } from './staged-writes.ts';

/** User agent for GitHub. */
export const userAgent = 'anode-ci';

const silent = (): void => {};

/** Log for clients whose caller reports failures. */
export const silentLog = { debug: silent, info: silent, warn: silent, error: silent };

/** Returns a valid token; with `fresh` a new one, if tokens can be made. */
export type TokenSource = (fresh?: boolean) => Promise<string>;

/** The limits of every write of a client. */
export interface Posting {
  /** Taken from before every write that is not marked `paidFor`. Default: no limit. */
  readonly budget?: ContentBudget;
  /** Removes secrets from a text before it is posted. */
  readonly redact: (text: string) => string;
}

interface OctokitOptions {
  /** REST base URL without a trailing slash. */
  readonly apiUrl: string;
  /** The source is called for each request, so a client may outlive its tokens. */
  readonly token: string | TokenSource;
  /** Receives a message for each retry. */
  readonly onRetry?: (message: string) => void;
  /** Waits in milliseconds; replaced in tests. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
  readonly signal?: AbortSignal;
  /** Default: for clients that only read. */
  readonly posting?: Posting;
  /** Takes every write in GitHub's place. Default: writes are sent. */
  readonly staged?: StagedWrites | undefined;
}

/** Marks a request whose write was already taken from the budget. */
export const paidFor = { paidFor: true } as const;

/**
 * Creates a client of GitHub's REST and GraphQL APIs that respects the rate limits and retries
 * reads within bounds (see `decideRetry`). A write that fails with 401, 403 or 404, or a read that
 * lacks a permission, is retried once with a fresh token: GitHub rejects new tokens for some
 * seconds, and old ones after a change of permissions. A write to an archived repository is not
 * retried. Sends nothing by itself.
 */
export function createOctokit(options: OctokitOptions): Octokit {
  const { signal, token, staged, posting } = options;
  const octokit = new Octokit({
    ...omitUndefined({ auth: typeof token === 'string' ? token : undefined }),
    baseUrl: options.apiUrl,
    userAgent,
    log: silentLog,
    request: { fetch: ownOriginFetch(options.apiUrl), ...omitUndefined({ signal }) },
  });
  octokit.hook.wrap('request', async (request, parameters) => {
    if (posting !== undefined && writes(parameters)) redactTexts(parameters, posting.redact);
    const send = () => sendWithRetries(async () => request(parameters), parameters, options);
    if (staged === undefined) return send();
    const { method, url, body } = octokit.request.endpoint.parse(parameters);
    const readCurrent = async () => (await octokit.request(`GET ${url}`)).data;
    const answer = await staged.answer({ method, url, body, isWrite: writes(parameters) }, readCurrent);
    return answer === null ? send() : { ...answer, status: 200, url, headers: {} };
  });
  return octokit;
}

/** Parameters of a request that decide on its retries. */
interface SentParameters {
  readonly method: string;
  readonly url: string;
  readonly query?: unknown;
  readonly request?: object;
  readonly headers: { authorization?: string | undefined };
}

async function sendWithRetries<Answer extends Pick<FailedResponse, 'headers'> & { readonly data: unknown }>(
  send: () => Promise<Answer>,
  parameters: SentParameters,
  options: OctokitOptions,
): Promise<Answer> {
  const { wait = sleep, signal, onRetry = () => {}, posting, token } = options;
  const isWrite = writes(parameters);
  const isPaid = Reflect.get(parameters.request ?? {}, 'paidFor') === true;
  const method = isWrite ? parameters.method : 'GET';
  const canRenew = typeof token !== 'string';
  const { waitAfter, takeFresh } = createRetries({ isWrite, method, canRenew, budget: posting?.budget });
  const attempt = async (retries: number) => {
    try {
      const answer = await send();
      const failure = failureIn(answer);
      const delay = failure === null ? null : waitAfter(failure, retries);
      return delay === null ? { answer, delay } : { delay };
    } catch (error) {
      signal?.throwIfAborted();
      const delay = waitAfter(readFailedResponse(error), retries);
      if (delay === null) throw error;
      return { delay };
    }
  };
  for (let retries = 0; ; retries += 1) {
    if (isWrite && !(retries === 0 && isPaid)) {
      await posting?.budget?.take('post', signal);
      signal?.throwIfAborted();
    }
    // Changed in place: Octokit's hooks share this object and drop any other.
    if (typeof token !== 'string') parameters.headers.authorization = `token ${await token(takeFresh())}`;
    const result = await attempt(retries);
    if (result.delay === null) return result.answer;
    onRetry(`${parameters.method} ${parameters.url} failed; trying again in ${result.delay} ms.`);
    await wait(result.delay);
  }
}

/** Decides on the retries of one request. */
function createRetries(request: {
  readonly isWrite: boolean;
  readonly method: string;
  readonly canRenew: boolean;
  readonly budget: ContentBudget | undefined;
}) {
  const { isWrite, method, canRenew, budget } = request;
  let renewed = false;
  let fresh = false;
  return {
    /** Returns the milliseconds before a retry; null to give up. */
    waitAfter(failure: FailedResponse, retries: number): number | null {
      if (!renewed && canRenew && (isWrite ? isDenied(failure) : isUngranted(failure))) {
        renewed = true;
        fresh = true;
        return renewalWaitMs;
      }
      const delay = decideRetry({ ...failure, method, retries, now: Date.now() });
      if (delay !== null && isRateLimited(failure)) budget?.rest(delay);
      return delay;
    },
    /** True if the next try needs a fresh token. */
    takeFresh(): boolean {
      const wasFresh = fresh;
      fresh = false;
      return wasFresh;
    },
  };
}

/** GitHub's replicas learn of a new token or permission with some delay. */
const renewalWaitMs = 1_000;

/** Statuses for a token that GitHub rejects or whose permissions it does not see yet. */
const deniedStatuses: readonly (number | null)[] = [401, 403, 404];

/** GitHub's text for an archived repository, which rejects every token. */
const archivedText = /repository was archived/iu;

const isDenied = (failure: FailedResponse): boolean =>
  deniedStatuses.includes(failure.status) && !isRateLimited(failure) && !archivedText.test(failure.message);

/** A read that lacks a permission, which may have been granted since the token was made. */
const isUngranted = ({ status, message }: FailedResponse): boolean =>
  status === 403 && /resource not accessible by integration/iu.test(message);

/**
 * Returns the retryable failure in a GraphQL answer with 200, by its REST status; null without one.
 */
function failureIn({
  data,
  headers,
}: {
  data: unknown;
  headers: FailedResponse['headers'];
}): FailedResponse | null {
  const errors: unknown = typeof data === 'object' && data !== null && Reflect.get(data, 'errors');
  if (!Array.isArray(errors)) return null;
  const failure = (status: number): FailedResponse => ({ status, headers: { ...headers }, message: '' });
  if (errors.some(isTurnedAway)) return failure(429);
  if (errors.length > 0 && errors.every(isUntyped)) return failure(502);
  return errors.some(isRefusal) ? failure(403) : null;
}

/** True for a request that changes something. Of GraphQL only mutations do. */
function writes({ method, url, query }: { method: string; url: string; query?: unknown }): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return !url.endsWith('/graphql') || (typeof query === 'string' && /^\s*mutation\b/.test(query));
}
