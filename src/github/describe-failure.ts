import type { FailedRequest } from './decide-retry.ts';

/** Failure of a request, as described by its response. */
export type Failure = Pick<FailedRequest, 'status' | 'headers' | 'message'>;

/**
 * Reads an Octokit error. Without a response Octokit sets status 500, so the response itself is
 * checked: null.
 */
export function describeFailure(error: unknown): Failure {
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
