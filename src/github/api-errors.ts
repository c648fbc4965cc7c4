import { ConfigError } from '../contract/errors.ts';
import { type FailedRequest, isRateLimited } from './decide-retry.ts';

/**
 * True for an Octokit error that means an outage or a rate limit: the same request may succeed
 * later.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('status' in error && typeof error.status === 'number')
    return error.status >= 500 || isRateLimited({ ...readFailedResponse(error), status: error.status });
  if (!('errors' in error) || !Array.isArray(error.errors)) return false;
  return error.errors.some(isTurnedAway) || (error.errors.length > 0 && error.errors.every(isUntyped));
}

/** Error types of a GraphQL rate limit; the shorter one is newer. */
const limitTypes: readonly unknown[] = ['RATE_LIMITED', 'RATE_LIMIT'];

/**
 * True for a rate limit error in a GraphQL answer. It comes with 200 (GitHub Docs, "Rate limits and
 * query limits for the GraphQL API").
 */
export function isTurnedAway(error: unknown): boolean {
  return typeof error === 'object' && error !== null && limitTypes.includes(Reflect.get(error, 'type'));
}

/**
 * True for a GraphQL error without a kind: GitHub failed at the query ("Something went wrong while
 * executing your query"). Refusals have a `type`, invalid queries a `code` in `extensions`. The
 * request may have had its effect.
 */
export function isUntyped(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('message' in error)) return false;
  return typeof Reflect.get(error, 'type') !== 'string' && Reflect.get(error, 'extensions') == null;
}

/** GraphQL error types for a missing permission or a hidden object. */
const refusalTypes: readonly unknown[] = ['FORBIDDEN', 'NOT_FOUND', 'INSUFFICIENT_SCOPES'];

/** True for a GraphQL error that corresponds to REST's 403 and 404. */
export function isRefusal(error: unknown): boolean {
  return typeof error === 'object' && error !== null && refusalTypes.includes(Reflect.get(error, 'type'));
}

/** Failure of a request, as described by its response. */
export type FailedResponse = Pick<FailedRequest, 'status' | 'headers' | 'message'>;

/**
 * Reads an Octokit error. Without a response Octokit sets status 500, so the response itself is
 * checked: null.
 */
export function readFailedResponse(error: unknown): FailedResponse {
  const message = error instanceof Error ? error.message : '';
  const none = { status: null, headers: {}, message };
  if (!(error instanceof Error) || !('response' in error)) return none;
  const { response } = error;
  if (typeof response !== 'object' || response === null) return none;
  const status: unknown = Reflect.get(response, 'status');
  const headers: unknown = Reflect.get(response, 'headers');
  return {
    status: typeof status === 'number' ? status : null,
    headers: typeof headers === 'object' && headers !== null ? { ...headers } : {},
    message,
  };
}

/** True if an API call failed because the object is missing or hidden from the token. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 404;
}

/**
 * Returns the error for a request without any response from `apiUrl`, the REST base URL; null for
 * any other error.
 */
export function whyNotReached(error: unknown, apiUrl: string): ConfigError | null {
  // Octokit's errors have a status even without a response.
  if (!(error instanceof Error) || !('status' in error)) return null;
  const { status, message } = readFailedResponse(error);
  if (status !== null) return null;
  return new ConfigError(
    `GitHub cannot be reached at ${apiUrl}: ${message}. Check the network, or set GITHUB_API_URL to the address of your GitHub's API.`,
    { key: 'GITHUB_API_URL' },
    { cause: error },
  );
}
