/** What is known of a request that failed. */
export interface FailedRequest {
  readonly method: string;
  /** Null where no response came at all. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  /** How often it was tried again already. */
  readonly retries: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export const maxRetries = 3;
const longestWaitMs = 60_000;

/**
 * How many milliseconds to wait before trying again, or null to give up. A request that a rate limit turned away
 * did nothing and is tried again when GitHub says so, if that is within a minute. One that failed at the
 * server or on the wire may have had its effect: only a read is tried again, a write is for its caller to look after.
 * GitHub docs: "Best practices for using the REST API", "Handle rate limit errors appropriately".
 */
export function decideRetry(failed: FailedRequest): number | null {
  if (failed.retries >= maxRetries) return null;
  const wait = isRateLimited(failed) ? rateLimitWait(failed) : serverErrorWait(failed);
  return wait !== null && wait <= longestWaitMs ? wait : null;
}

function isRateLimited({ status, headers }: FailedRequest): boolean {
  if (status === 429) return true;
  return (
    status === 403 && (headers['retry-after'] !== undefined || Number(headers['x-ratelimit-remaining']) === 0)
  );
}

function rateLimitWait({ headers, retries, now }: FailedRequest): number {
  const seconds = Number(headers['retry-after']);
  if (headers['retry-after'] !== undefined && Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const reset = Number(headers['x-ratelimit-reset']) * 1000;
  if (Number(headers['x-ratelimit-remaining']) === 0 && Number.isFinite(reset))
    return Math.max(0, reset - now);
  return longestWaitMs * 2 ** retries;
}

function serverErrorWait({ method, status, retries }: FailedRequest): number | null {
  const isRead = method === 'GET' || method === 'HEAD';
  const mayPass = status === null || status >= 500;
  return isRead && mayPass && status !== 501 ? 500 * 2 ** retries : null;
}
