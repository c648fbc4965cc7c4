import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { RequestFailure } from '../../network/request-failure.ts';
import { settledWithin } from '../../tools/registry/promise-limits.ts';
import type { ServerTransport } from './mcp-server.ts';
import { tooLarge } from './too-large.ts';

/** Time-out in milliseconds for ending a session. */
const goodbyeMs = 2_000;

/** Maximum streams of notifications; a server that ends each at once would keep us busy. */
const mostStreams = 100;

/**
 * Creates a transport over streamable HTTP. All requests use `fetch`, which checks addresses and
 * bounds answers. `headers` reach the server alone, as redirects are not followed. An answer that
 * breaks off fails its request at once.
 */
export function httpTransport(
  url: string,
  options: { readonly fetch: typeof globalThis.fetch; readonly headers: Readonly<Record<string, string>> },
): ServerTransport {
  let inner: StreamableHTTPClientTransport;
  const waiting = new Set<string>();
  let streams = 0;
  const pass = (message: JSONRPCMessage) => {
    if ('id' in message && !('method' in message)) waiting.delete(JSON.stringify(message.id));
    transport.onmessage?.(message);
  };
  const request = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    // The answer of servers without such streams.
    if (init.method === 'GET' && ++streams > mostStreams) return new Response(null, { status: 405 });
    const response = await options.fetch(input, { ...init, redirect: 'error' });
    const id = init.method === 'POST' ? requestOf(init.body) : null;
    if (id === null || response.body === null || !response.ok) return response;
    const fail = (error: unknown) => {
      if (!waiting.delete(id)) return;
      const message = error instanceof Error ? error.message : 'the answer broke off';
      const isTooLarge = error instanceof RequestFailure && error.kind === 'too_large';
      const code = isTooLarge ? tooLarge : -32_000;
      transport.onmessage?.({
        jsonrpc: '2.0',
        id: JSON.parse(id),
        error: { code, message: `it ${message}` },
      });
    };
    const body = watched(response.body, fail);
    return new Response(body, response);
  };
  const transport: ServerTransport = {
    async start() {
      inner = new StreamableHTTPClientTransport(new URL(url), {
        fetch: request,
        requestInit: { headers: { 'user-agent': 'anode-ci', ...options.headers } },
      });
      inner.onmessage = pass;
      inner.onerror = (error) => transport.onerror?.(error);
      inner.onclose = () => transport.onclose?.();
      await inner.start();
    },
    async send(message) {
      if ('id' in message && 'method' in message) waiting.add(JSON.stringify(message.id));
      await inner.send(message);
    },
    setProtocolVersion: (version) => inner.setProtocolVersion(version),
    ended: () => null,
    garbage: () => null,
    async close() {
      if (inner === undefined) return;
      await settledWithin(inner.terminateSession(), goodbyeMs);
      await inner.close();
    },
  };
  return transport;
}

/** The id, as JSON, of the request in a body; null for any other body. */
function requestOf(body: RequestInit['body']): string | null {
  if (typeof body !== 'string') return null;
  const message = JSON.parse(body) as { id?: unknown; method?: unknown };
  return message.id === undefined || message.method === undefined ? null : JSON.stringify(message.id);
}

/** Passes a stream on and reports its error. */
function watched(
  body: ReadableStream<Uint8Array>,
  failed: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
        failed(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
