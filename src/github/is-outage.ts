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

/** GitHub docs, "Rate limits for the GraphQL API": answered with 200. */
function isTurnedAway(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Reflect.get(error, 'type') === 'RATE_LIMITED';
}
