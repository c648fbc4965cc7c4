import { isRateLimited } from './decide-retry.ts';
import { describeFailure } from './describe-failure.ts';

/**
 * True for an Octokit error that means an outage or a rate limit: the same request may succeed
 * later.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('status' in error && typeof error.status === 'number')
    return error.status >= 500 || isRateLimited({ ...describeFailure(error), status: error.status });
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
