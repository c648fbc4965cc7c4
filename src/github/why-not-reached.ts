import { ConfigError } from '../contract/errors.ts';
import { describeFailure } from './describe-failure.ts';

/**
 * Returns the error for a request without any response from `apiUrl`, the REST base URL; null for
 * any other error.
 */
export function whyNotReached(error: unknown, apiUrl: string): ConfigError | null {
  // Octokit's errors have a status even without a response.
  if (!(error instanceof Error) || !('status' in error)) return null;
  const { status, message } = describeFailure(error);
  if (status !== null) return null;
  return new ConfigError(
    `GitHub cannot be reached at ${apiUrl}: ${message}. Check the network, or set GITHUB_API_URL to the address of your GitHub's API.`,
    { key: 'GITHUB_API_URL' },
    { cause: error },
  );
}
