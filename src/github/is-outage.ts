import { isRateLimited } from './decide-retry.ts';
import { describeFailure } from './describe-failure.ts';

/**
 * Whether an error of Octokit says that GitHub is down, or turns us away for now as there were too many requests, so that the
 * same request may do later.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('status' in error && typeof error.status === 'number')
    return error.status >= 500 || isRateLimited({ ...describeFailure(error), status: error.status });
  if (!('errors' in error) || !Array.isArray(error.errors)) return false;
  return error.errors.some(isTurnedAway) || (error.errors.length > 0 && error.errors.every(isUntyped));
}

/** Types of the error by which GraphQL turns a request away for a rate limit: of late the shorter one. */
const limitTypes: readonly unknown[] = ['RATE_LIMITED', 'RATE_LIMIT'];

/**
 * True for an error in an answer of GraphQL that a rate limit made. It comes with 200 (GitHub Docs, "Rate limits and query limits for
 * the GraphQL API").
 */
export function isTurnedAway(error: unknown): boolean {
  return typeof error === 'object' && error !== null && limitTypes.includes(Reflect.get(error, 'type'));
}

/**
 * True for an error in an answer of GraphQL that names no kind: GitHub broke down at the query ("Something went wrong while executing
 * your query"). A refusal has a `type`, and a query that is no good has a `code` in `extensions`. It may have had its effect.
 */
export function isUntyped(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('message' in error)) return false;
  return typeof Reflect.get(error, 'type') !== 'string' && Reflect.get(error, 'extensions') == null;
}

/** Types of the errors by which GraphQL says that the token has no right, or that it sees no such thing. */
const refusalTypes: readonly unknown[] = ['FORBIDDEN', 'NOT_FOUND', 'INSUFFICIENT_SCOPES'];

/** True for an error in an answer of GraphQL that stands for the 403 and 404 of REST. */
export function isRefusal(error: unknown): boolean {
  return typeof error === 'object' && error !== null && refusalTypes.includes(Reflect.get(error, 'type'));
}
