import type { ClientRequest, Agent as HttpAgent, IncomingMessage, RequestOptions } from 'node:http';
import { FetchHeaders } from './fetch-headers.ts';
import { FetchResponse } from './fetch-response.ts';
import { ProviderError } from './provider-error.ts';

export interface NodeFetchOptions {
  /** The only host that is ever called: a request with a key must not be redirected elsewhere. */
  readonly baseUrl: string;
  /** Maximum silence of a socket in milliseconds, before the answer or within it. */
  readonly idleTimeoutMs: number;
  /** `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` are read from here. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface Transport {
  readonly request: (
    url: URL,
    options: RequestOptions,
    onResponse: (r: IncomingMessage) => void,
  ) => ClientRequest;
  readonly agent: HttpAgent;
}

/**
 * A `fetch` for one endpoint on Node's own HTTP client, with sockets reused between turns. It costs
 * half of the built-in one for a request, and a third at the start. Accepts a URL and a text body
 * and returns the parts of a `Response` that clients read (`FetchResponse`). It follows no
 * redirects and requests no compression. Rejects with `ProviderError` on silence for
 * `idleTimeoutMs`, a failed connection, and a truncated or endless body; on an abort with its
 * reason.
 */
export function createNodeFetch(options: NodeFetchOptions): typeof globalThis.fetch {
  const { origin, protocol } = new URL(options.baseUrl);
  const transport = loadTransport(protocol, options.environment);
  return async (input, init = {}) => {
    const url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url);
    const { body, signal } = init;
    if (url.origin !== origin) throw new TypeError(`this fetch only asks ${origin}`);
    if (body !== undefined && body !== null && typeof body !== 'string') {
      throw new TypeError('this fetch sends text bodies only');
    }
    const call: Call = {
      url,
      method: init.method ?? 'GET',
      headers: Object.fromEntries([['accept-encoding', 'identity'], ...new FetchHeaders(init.headers)]),
      body: body ?? '',
      signal: signal ?? null,
      idleTimeoutMs: options.idleTimeoutMs,
    };
    const answer: unknown = await send(transport, call, true);
    // The standard's type has more to it than any client asks of an answer that it streams.
    return answer as Response;
  };
}

interface Call {
  readonly url: URL;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly signal: AbortSignal | null;
  readonly idleTimeoutMs: number;
}

/**
 * An import would read each of the module's exports, among them the classes of Node's fetch
 * library.
 */
function loadTransport(
  protocol: string,
  environment: Readonly<Record<string, string | undefined>>,
): Transport {
  const { request, Agent } = process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');
  // Node's agents follow these by themselves; see "Built-in Proxy Support" in the documentation of
  // its HTTP.
  const names = ['http_proxy', 'https_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()]);
  const proxyEnv = Object.fromEntries(names.map((name) => [name, environment[name]]));
  return { request, agent: new Agent({ keepAlive: true, proxyEnv }) };
}

function send(transport: Transport, call: Call, mayRepeat: boolean): Promise<FetchResponse> {
  return new Promise((resolve, reject) => {
    call.signal?.throwIfAborted();
    const request = transport.request(
      call.url,
      {
        method: call.method,
        agent: transport.agent,
        headers: { ...call.headers, 'content-length': Buffer.byteLength(call.body) },
        timeout: call.idleTimeoutMs,
      },
      (incoming) => {
        answer = incoming;
        try {
          resolve(toResponse(incoming, call));
        } catch (cause) {
          incoming.destroy();
          reject(new ProviderError('broken', 'the answer is not valid HTTP', { cause }));
        }
      },
    );
    let answer: IncomingMessage | undefined;
    const abort = () => (answer ?? request).destroy(asError(call.signal?.reason));
    call.signal?.addEventListener('abort', abort, { once: true });
    request.once('close', () => call.signal?.removeEventListener('abort', abort));
    request.once('timeout', () => {
      const seconds = Math.round(call.idleTimeoutMs / 1000);
      (answer ?? request).destroy(new ProviderError('idle', `nothing came for ${seconds} seconds`));
    });
    request.once('error', (error: NodeJS.ErrnoException) => {
      if (call.signal?.aborted === true) return reject(asError(call.signal.reason));
      if (error instanceof ProviderError) return reject(error);
      // The server closed a reused socket as we wrote to it: nothing was read, so a new one is
      // used.
      if (mayRepeat && request.reusedSocket && error.code === 'ECONNRESET') {
        return resolve(send(transport, call, false));
      }
      const message = `the connection failed (${error.code ?? error.message})`;
      reject(new ProviderError('unreachable', message, { cause: error }));
    });
    request.end(call.body);
  });
}

function toResponse(incoming: IncomingMessage, { url, signal }: Call): FetchResponse {
  const headers = new FetchHeaders();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  const status = incoming.statusCode ?? 0;
  const bodyless = status === 204 || status === 205 || status === 304;
  if (bodyless) incoming.resume();
  const body = bodyless ? null : readBody(incoming, signal);
  return new FetchResponse({ status, url: url.href, headers, body });
}

/**
 * Bytes of a whole answer: a model's longest answer takes a third of it, with an event for each
 * token.
 */
const longestAnswer = 128 * 1024 * 1024;
/** Bytes without a line end: no event is as long. */
const longestLine = 16 * 1024 * 1024;

/** Limits the received bytes, so an endless answer does not fill the memory. */
async function* bounded(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let all = 0;
  let line = 0;
  for await (const chunk of body) {
    all += chunk.length;
    const lineEnd = chunk.lastIndexOf(10);
    line = lineEnd === -1 ? line + chunk.length : chunk.length - lineEnd - 1;
    if (line > longestLine) throw new ProviderError('endless', 'its answer has a line of more than 16 MiB');
    if (all > longestAnswer) throw new ProviderError('endless', 'its answer is longer than 128 MiB');
    yield chunk;
  }
}

async function* readBody(incoming: IncomingMessage, signal: AbortSignal | null): AsyncGenerator<Buffer> {
  try {
    yield* bounded(incoming.iterator({ destroyOnReturn: false }));
  } catch (error) {
    if (signal?.aborted === true) throw asError(signal.reason);
    if (error instanceof ProviderError) throw error;
    throw new ProviderError('broken', 'the connection broke off in the middle of the answer', {
      cause: error,
    });
  } finally {
    // Readers of Chat Completions stop at `[DONE]`, a moment before the end: the socket is worth
    // the wait.
    if (!incoming.complete && !incoming.destroyed) {
      const giveUp = setTimeout(() => incoming.destroy(), 1_000).unref();
      incoming.once('close', () => clearTimeout(giveUp)).on('error', () => clearTimeout(giveUp));
      incoming.resume();
    }
  }
}

/** The reason of an abort, which by the standard may be any value. */
function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new DOMException(String(reason), 'AbortError');
}
