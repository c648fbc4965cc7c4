/** What is known of a request that failed. */
export interface FailedRequest {
  readonly method: string;
  /** Null where no response came at all. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  /** What GitHub said; a secondary limit may be told apart from a refusal by nothing else. */
  readonly message: string;
  /** How often it was tried again already. */
  readonly retries: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export const maxRetries = 3;
/** A read has somebody waiting for its answer; a write that is given up is lost, or done all over again. */
const longestReadWaitMs = 60_000;
const longestWriteWaitMs = 5 * 60_000;
/** GitHub docs, "Rate limits for the REST API": at least a minute where it does not say how long. */
const unsaidWaitMs = 60_000;

/**
 * How many milliseconds to wait before trying again, or null to give up. A request that a rate limit turned away
 * did nothing and is tried again when GitHub says so, if that is within a minute, or within five for a write. One that failed at the
 * server or on the wire may have had its effect: only a read is tried again, a write is for its caller to look after.
 * GitHub docs: "Best practices for using the REST API", "Handle rate limit errors appropriately".
 */
export function decideRetry(failed: FailedRequest): number | null {
  if (failed.retries >= maxRetries) return null;
  const wait = isRateLimited(failed) ? rateLimitWait(failed) : serverErrorWait(failed);
  return wait !== null && wait <= (isRead(failed) ? longestReadWaitMs : longestWriteWaitMs) ? wait : null;
}

/** True where GitHub turned a request away for no other reason than that there were too many. */
export function isRateLimited({
  status,
  headers,
  message,
}: Pick<FailedRequest, 'status' | 'headers' | 'message'>): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  const said = headers['retry-after'] !== undefined || Number(headers['x-ratelimit-remaining']) === 0;
  return said || /\bsecondary rate limit\b/i.test(message);
}

const isRead = ({ method }: Pick<FailedRequest, 'method'>): boolean => method === 'GET' || method === 'HEAD';

function rateLimitWait({ headers, retries, now }: FailedRequest): number {
  const seconds = Number(headers['retry-after']);
  if (headers['retry-after'] !== undefined && Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const reset = Number(headers['x-ratelimit-reset']) * 1000;
  if (Number(headers['x-ratelimit-remaining']) === 0 && Number.isFinite(reset))
    return Math.max(0, reset - now);
  return unsaidWaitMs * 2 ** retries;
}

function serverErrorWait({ method, status, retries }: FailedRequest): number | null {
  const mayPass = status === null || status >= 500;
  return isRead({ method }) && mayPass && status !== 501 ? 500 * 2 ** retries : null;
}
