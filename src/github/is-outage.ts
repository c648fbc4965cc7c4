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
  return 'errors' in error && Array.isArray(error.errors) && error.errors.some(isTurnedAway);
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
