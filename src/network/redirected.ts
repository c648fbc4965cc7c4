import { RequestFailure } from './request-failure.ts';

/** What a request sends besides its URL. */
export interface SentRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly body: RequestInit['body'];
}

/** Headers that another origin is still told after a redirect; all others may hold a credential. */
const harmless = new Set(['accept', 'accept-language', 'user-agent']);

/** What is asked of the place that a redirect leads to (RFC 9110, 15.4; "HTTP-redirect fetch" of the Fetch standard). Throws `RequestFailure` where nothing may be. */
export function redirected(sent: SentRequest, status: number, from: URL, to: URL): SentRequest {
  if (from.protocol === 'https:' && to.protocol === 'http:')
    throw new RequestFailure('refused', `was redirected from HTTPS to plain HTTP, ${shownUrl(to)}`);
  const becomesGet = (status === 303 && sent.method !== 'HEAD') || (status < 303 && sent.method === 'POST');
  const body = becomesGet ? null : sent.body;
  const headers = new Headers(sent.headers);
  const sameOrigin = from.origin === to.origin;
  for (const name of [...headers.keys()])
    if (!harmless.has(name) && (!sameOrigin || (becomesGet && name.startsWith('content-'))))
      headers.delete(name);
  if (body !== null && (!sameOrigin || body instanceof ReadableStream))
    throw new RequestFailure(
      'refused',
      `was redirected to ${shownUrl(to)} with what it sends, which is not sent on`,
    );
  return { method: becomesGet ? 'GET' : sent.method, headers, body };
}

/** A URL without what may be secret in it. */
export const shownUrl = (url: URL): string => `${url.origin}${url.pathname}`.slice(0, 200);
