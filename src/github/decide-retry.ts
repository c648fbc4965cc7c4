/** A failed request. */
export interface FailedRequest {
  readonly method: string;
  /** Null without a response. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  /** GitHub's message; some secondary limits differ from a refusal in nothing else. */
  readonly message: string;
  /** Number of retries so far. */
  readonly retries: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export const maxRetries = 3;
/** Limits of a wait. Reads are awaited; an abandoned write is lost or repeated as a whole. */
const longestReadWaitMs = 60_000;
const longestWriteWaitMs = 5 * 60_000;
/**
 * Wait without a hint from GitHub: at least a minute (GitHub docs, "Rate limits for the REST API").
 */
const defaultWaitMs = 60_000;

/**
 * Returns the milliseconds to wait before a retry; null to give up. A rate-limited request had no
 * effect and is retried at GitHub's time, if within a minute, or within five for a write. After a
 * server or network error the request may have had its effect: only reads are retried, writes are
 * left to the caller. GitHub docs: "Best practices for using the REST API", "Handle rate limit
 * errors appropriately".
 */
export function decideRetry(failed: FailedRequest): number | null {
  if (failed.retries >= maxRetries) return null;
  const wait = isRateLimited(failed) ? rateLimitWait(failed) : serverErrorWait(failed);
  return wait !== null && wait <= (isRead(failed) ? longestReadWaitMs : longestWriteWaitMs) ? wait : null;
}

/** True if GitHub rejected a request only because of a rate limit. */
export function isRateLimited({
  status,
  headers,
  message,
}: Pick<FailedRequest, 'status' | 'headers' | 'message'>): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  const hasHint = headers['retry-after'] !== undefined || Number(headers['x-ratelimit-remaining']) === 0;
  return hasHint || /\bsecondary rate limit\b/i.test(message);
}

const isRead = ({ method }: Pick<FailedRequest, 'method'>): boolean => method === 'GET' || method === 'HEAD';

function rateLimitWait({ headers, retries, now }: FailedRequest): number {
  const seconds = Number(headers['retry-after']);
  if (headers['retry-after'] !== undefined && Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const reset = Number(headers['x-ratelimit-reset']) * 1000;
  if (Number(headers['x-ratelimit-remaining']) === 0 && Number.isFinite(reset))
    return Math.max(0, reset - now);
  return defaultWaitMs * 2 ** retries;
}

function serverErrorWait({ method, status, retries }: FailedRequest): number | null {
  const mayPass = status === null || status >= 500;
  return isRead({ method }) && mayPass && status !== 501 ? 500 * 2 ** retries : null;
}
