import type { FailedRequest } from './decide-retry.ts';

/** How a request failed, as far as the answer tells. */
export type Failure = Pick<FailedRequest, 'status' | 'headers' | 'message'>;

/** Reads an error of Octokit. It gives a request without any response the status 500, so the response itself is looked at: null. */
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
