import { type ConnectionLimits, type GuardedDispatcher, guardedDispatcher } from './guarded-dispatcher.ts';
import { RequestFailure } from './request-failure.ts';
import { type HostLookup, type NetworkPolicy, systemLookup } from './resolve-host.ts';

/** Bounds of each request. */
interface FetchLimits extends ConnectionLimits {
  /** Bytes of an answer, decompressed; `Infinity` for none, as where events are streamed. */
  readonly bytes: number;
  /** Maximum redirects. */
  readonly redirects: number;
  /** Milliseconds from the request to the last byte; null for none. */
  readonly totalMs: number | null;
}

const standardLimits: FetchLimits = {
  bytes: 5 * 1024 ** 2,
  redirects: 5,
  connectMs: 10_000,
  idleMs: 30_000,
  totalMs: 60_000,
};

/** An answer, with the requested URL and the redirects. */
export interface Fetched {
  readonly response: Response;
  readonly urls: readonly string[];
}

/** Options of one request. */
export interface FollowOptions extends Partial<Pick<FetchLimits, 'bytes' | 'totalMs'>> {
  /** Decides on each redirect; one that is not followed is the answer. Default: follow. */
  readonly mayFollow?: (from: URL, to: URL) => boolean;
}

export interface GuardedFetch {
  /**
   * Like the standard's `fetch`: takes URLs or requests, headers, bodies, `signal` and `redirect`.
   */
  readonly fetch: typeof globalThis.fetch;
  /** The same, telling of redirects. */
  readonly follow: (url: string | URL, init?: RequestInit, options?: FollowOptions) => Promise<Fetched>;
  /** Ends every connection. */
  close(): Promise<void>;
}

/**
 * Creates a `fetch` for untrusted addresses: of a model, a page, a repository's file. Only HTTP and
 * HTTPS to hosts of `policy.allowed`. Private addresses, this machine and cloud metadata are
 * refused, except for hosts of `policy.privateAllowed`. Each redirect is checked like a request;
 * another origin gets no body and no private headers, and HTTPS never leads to HTTP. There are no
 * cookies, and the only proxy is that of `environment`. Rejects with `RequestFailure`, or with the
 * reason of an abort.
 */
export async function createGuardedFetch(options: {
  readonly policy: NetworkPolicy;
  readonly limits?: Partial<FetchLimits>;
  readonly lookup?: HostLookup;
  /** The operator's variables, for their proxy. Default: no proxy. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}): Promise<GuardedFetch> {
  const limits = { ...standardLimits, ...options.limits };
  const { lookup = systemLookup, environment = {} } = options;
  const guard = await guardedDispatcher(options.policy, { limits, lookup, environment });
  const follow: GuardedFetch['follow'] = (url, init = {}, { mayFollow = () => true, ...own } = {}) =>
    followAll(guard, { ...limits, ...own }, { url, init, mayFollow });
  return {
    follow,
    fetch: async (input, init) => (await follow(...(await plainRequest(input, init)))).response,
    close: () => guard.dispatcher.destroy(),
  };
}

interface RequestToFollow {
  readonly url: string | URL;
  readonly init: RequestInit;
  readonly mayFollow: (from: URL, to: URL) => boolean;
}

async function followAll(
  guard: GuardedDispatcher,
  limits: FetchLimits,
  request: RequestToFollow,
): Promise<Fetched> {
  const { init } = request;
  const caller = init.signal ?? undefined;
  caller?.throwIfAborted();
  const timer = limits.totalMs === null ? undefined : AbortSignal.timeout(limits.totalMs);
  const signals = [caller, timer].filter((one) => one !== undefined);
  const explain = (error: unknown) => explained(error, caller, timer);
  let url = parsed(request.url, undefined);
  let sent: SentRequest = {
    method: (init.method ?? 'GET').toUpperCase(),
    headers: new Headers(init.headers),
    body: init.body ?? null,
  };
  const urls: string[] = [];
  for (;;) {
    urls.push(url.href);
    const response = await ask(guard, url, sent, signals).catch((error) => Promise.reject(explain(error)));
    const next = redirectOf(response, url, request);
    if (next === null) return { response: wrapped(response, urls, limits.bytes, explain), urls };
    void response.body?.cancel().catch(() => undefined);
    if (init.redirect === 'error')
      throw new RequestFailure('refused', `was redirected to ${printableUrl(next)}`);
    if (urls.length > limits.redirects)
      throw new RequestFailure('refused', `was redirected more than ${limits.redirects} times`);
    sent = redirected(sent, response.status, url, next);
    url = next;
  }
}

/** The URL that a response redirects to; null if the response itself is the answer. */
function redirectOf(response: Response, url: URL, { init, mayFollow }: RequestToFollow): URL | null {
  const location = isRedirect(response.status) ? response.headers.get('location') : null;
  if (location === null || init.redirect === 'manual') return null;
  const next = parsed(location, url);
  if (next.hash === '') next.hash = url.hash;
  return init.redirect === 'error' || mayFollow(url, next) ? next : null;
}

async function ask(
  guard: GuardedDispatcher,
  url: URL,
  { method, headers, body }: SentRequest,
  signals: readonly AbortSignal[],
): Promise<Response> {
  const signal = AbortSignal.any([...signals]);
  await unlessAborted(signal, guard.authorize(url));
  const { fetch } = await import('undici');
  const init = {
    ...{ method, body, signal },
    headers: [...headers] as [string, string][],
    redirect: 'manual',
    dispatcher: guard.dispatcher,
    duplex: body instanceof ReadableStream ? 'half' : undefined,
  };
  // The types of undici and the standard differ.
  return (await fetch(url, init as Parameters<typeof fetch>[1])) as unknown as Response;
}

/** An answer as callers know it, whose body is bounded. */
function wrapped(
  response: Response,
  urls: readonly string[],
  most: number,
  explain: (error: unknown) => unknown,
): Response {
  const { status, statusText, headers, body } = response;
  const tooLarge = () => new RequestFailure('too_large', `was answered with more than ${most} bytes`);
  const declared = headers.has('content-encoding') ? 0 : Number(headers.get('content-length') ?? 0);
  if (declared > most && body !== null) {
    void body.cancel().catch(() => undefined);
    throw tooLarge();
  }
  if (status < 200 || status > 599) {
    void body?.cancel().catch(() => undefined);
    throw new RequestFailure('unreachable', `was answered with the status ${status}, which is invalid`);
  }
  const bodyless = body === null || status === 204 || status === 205 || status === 304;
  const bounded = new Response(bodyless ? null : boundedBody(body, most, explain, tooLarge), {
    status,
    statusText,
    headers: [...headers] as [string, string][],
  });
  // The constructor cannot set these.
  Object.defineProperties(bounded, {
    url: { value: urls.at(-1) ?? '' },
    redirected: { value: urls.length > 1 },
  });
  return bounded;
}

/** Splits a request into a URL and its options. */
async function plainRequest(
  input: Parameters<typeof fetch>[0],
  init: RequestInit = {},
): Promise<[string | URL, RequestInit]> {
  if (typeof input === 'string' || input instanceof URL) return [input, init];
  const request = new Request(input, init);
  const body = request.body === null ? null : await request.arrayBuffer();
  const { method, headers, signal, redirect } = request;
  return [request.url, { method, headers, signal, redirect, body }];
}

function parsed(text: string | URL, base: URL | undefined): URL {
  const url = URL.parse(String(text), base?.href);
  if (url === null) throw new RequestFailure('refused', 'has an invalid URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new RequestFailure(
      'refused',
      `has the scheme ${url.protocol.slice(0, 20)}, and only http and https may be asked`,
    );
  if (url.username !== '' || url.password !== '')
    throw new RequestFailure('refused', 'has credentials in its URL, which are not sent');
  return url;
}

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** Rejects with the signal's reason, even if the work continues. */
async function unlessAborted<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Turns an error of `undici` into a `RequestFailure`, searching its causes. */
function explained(error: unknown, caller: AbortSignal | undefined, timer: AbortSignal | undefined): unknown {
  if (caller?.aborted === true) return caller.reason;
  if (timer?.aborted === true)
    return new RequestFailure('timeout', 'was not answered in time', { cause: error });
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth += 1) {
    if (cause instanceof RequestFailure) return cause;
    const code = 'code' in cause ? String(cause.code) : '';
    if (/TIMEOUT|ETIMEDOUT/.test(code))
      return new RequestFailure('timeout', 'was not answered in time', { cause: error });
    if (code !== '')
      return new RequestFailure('unreachable', `met a failed connection (${code})`, { cause: error });
    if (cause.cause === undefined) break;
    cause = cause.cause;
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return new RequestFailure('unreachable', `met a failed connection (${message.slice(0, 200)})`, {
    cause: error,
  });
}

/**
 * Bounds a stream to `most` bytes after decompression. Beyond that it fails with `tooLarge()`;
 * errors of the stream go through `explain`. Cancelling cancels the stream.
 */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  most: number,
  explain: (error: unknown) => unknown,
  tooLarge: () => Error,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  let size = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          size += value.byteLength;
          if (size > most) {
            // The rest of the body is not needed.
            void reader.cancel().catch(() => undefined);
            return controller.error(tooLarge());
          }
          controller.enqueue(value as Uint8Array<ArrayBuffer>);
        } catch (error) {
          controller.error(explain(error));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** The request without its URL. */
export interface SentRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly body: RequestInit['body'];
}

/** Headers that another origin gets after a redirect; others may hold credentials. */
const harmless = new Set(['accept', 'accept-language', 'user-agent']);

/**
 * The request to send after a redirect (RFC 9110, 15.4; "HTTP-redirect fetch" of the Fetch
 * standard). Throws `RequestFailure` if none may be sent.
 */
export function redirected(sent: SentRequest, status: number, from: URL, to: URL): SentRequest {
  if (from.protocol === 'https:' && to.protocol === 'http:')
    throw new RequestFailure('refused', `was redirected from HTTPS to plain HTTP, ${printableUrl(to)}`);
  const becomesGet = (status === 303 && sent.method !== 'HEAD') || (status < 303 && sent.method === 'POST');
  const body = becomesGet ? null : sent.body;
  const sameOrigin = from.origin === to.origin;
  const isSent = (name: string) =>
    harmless.has(name) || (sameOrigin && !(becomesGet && name.startsWith('content-')));
  const headers = new Headers([...sent.headers].filter(([name]) => isSent(name)));
  if (body !== null && (!sameOrigin || body instanceof ReadableStream))
    throw new RequestFailure(
      'refused',
      `was redirected to ${printableUrl(to)} with what it sends, which is not sent on`,
    );
  return { method: becomesGet ? 'GET' : sent.method, headers, body };
}

/** A URL without what may be secret in it. */
export const printableUrl = (url: URL): string => `${url.origin}${url.pathname}`.slice(0, 200);
