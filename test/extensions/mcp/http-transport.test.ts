import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { httpTransport } from '../../../src/extensions/mcp/http-transport.ts';
import { McpServer } from '../../../src/extensions/mcp/mcp-server.ts';
import { createGuardedFetch, type GuardedFetch } from '../../../src/network/guarded-fetch.ts';

const signal = new AbortController().signal;
const opened: (Server | GuardedFetch | McpServer)[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) {
    if ('closeAllConnections' in one) one.closeAllConnections();
    await one.close();
  }
});

type Answer = (message: JsonObject, response: ServerResponse, request: IncomingMessage) => boolean;

/** A server over HTTP on this machine that is played: what `answer` does not deal with is answered as it should be. */
async function played(answer: Answer, stream: (response: ServerResponse) => void = noStream) {
  const asked: string[] = [];
  let sessions = 0;
  const http = createServer(async (request, response) => {
    if (request.method !== 'POST') return stream(response);
    const message = JSON.parse(await text(request)) as JsonObject;
    asked.push(`${request.headers['mcp-session-id'] ?? '-'} ${message.method}`);
    if (answer(message, response, request)) return;
    if (message.id === undefined) return void response.writeHead(202).end();
    const initialized = {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'played', version: '1' },
    };
    const first = message.method === 'initialize';
    if (first) sessions += 1;
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(first ? { 'mcp-session-id': `s${sessions}` } : {}),
    });
    const result = first ? initialized : { by: request.headers.authorization ?? null };
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const allowed = [{ name: '127.0.0.1', ports: [port] }];
  const guarded = await createGuardedFetch({
    policy: { allowed, privateAllowed: allowed },
    limits: { bytes: 64 * 1024, redirects: 0, idleMs: 0, totalMs: null },
  });
  const warnings: string[] = [];
  const server = new McpServer({
    ...{
      name: 'played',
      root: null,
      timeoutSeconds: 10,
      hide: (text) => text,
      warn: (message) => void warnings.push(message),
    },
    open: async () =>
      httpTransport(`http://127.0.0.1:${port}/mcp`, {
        fetch: guarded.fetch,
        headers: { Authorization: 'Bearer of-ours' },
      }),
  });
  opened.push(http, guarded, server);
  const ask = async () => {
    try {
      return await server.ask('tools/call', { name: 'work' }, signal);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return `${error.kind}: ${error.message}`;
    }
  };
  return { ask, asked, warnings };
}

const noStream = (response: ServerResponse) => void response.writeHead(405).end();

const isCall = ({ method }: JsonObject) => method === 'tools/call';

describe('an MCP server over HTTP', () => {
  test('that ends each stream immediately and requests the next without a pause is stopped after a hundred', async () => {
    let streams = 0;
    const most = Promise.withResolvers<void>();
    const { ask } = await played(
      () => false,
      (response) => {
        streams += 1;
        if (streams === 100) most.resolve();
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 0\nid: 1\ndata: {}\n\n');
      },
    );
    await ask();
    await most.promise;
    for (let count = 0; count < 20; count += 1) await ask();
    expect([await ask(), streams]).toEqual([{ by: 'Bearer of-ours' }, 100]);
  });

  test('that lost its session gets the request once more in a new one, with its headers', async () => {
    let calls = 0;
    const { ask, asked, warnings } = await played((message, response) => {
      if (!isCall(message)) return false;
      calls += 1;
      if (calls === 2) response.writeHead(404).end();
      return calls === 2;
    });
    expect([await ask(), await ask(), asked, warnings]).toEqual([
      { by: 'Bearer of-ours' },
      { by: 'Bearer of-ours' },
      [
        ...['- initialize', 's1 notifications/initialized', 's1 tools/call', 's1 tools/call'],
        ...['- initialize', 's2 notifications/initialized', 's2 tools/call'],
      ],
      ['The MCP server played has forgotten its session. The next call restarts it.'],
    ]);
  });

  test('gives no answer over the size limit, with a declared length or not, or in events, and continues', async () => {
    let calls = 0;
    const { ask } = await played((message, response) => {
      calls += isCall(message) ? 1 : 0;
      if (!isCall(message) || calls === 4) return false;
      const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { text: 'x'.repeat(70_000) } });
      const stream = calls === 2;
      response.writeHead(200, {
        'content-type': stream ? 'text/event-stream' : 'application/json',
        ...(calls === 3 ? { 'content-length': Buffer.byteLength(body) } : {}),
      });
      response.end(stream ? `event: message\ndata: ${body}\n\n` : body);
      return true;
    });
    const large =
      'too_large: The MCP server played gave no usable answer: it was answered with more than 65536 bytes. Ask for less: a narrower query, a page, a smaller image.';
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([
      ...[large, large, large],
      { by: 'Bearer of-ours' },
    ]);
  });

  test('cannot redirect elsewhere, and its requirement instead of the token is reported', async () => {
    const elsewhere = await played((message, response) => {
      if (isCall(message)) response.writeHead(307, { location: 'http://169.254.169.254/latest' }).end();
      return isCall(message);
    });
    const closed = await played((_, response) => {
      response.writeHead(401).end('{"error":"invalid_token"}');
      return true;
    });
    expect([await elsewhere.ask(), await closed.ask()]).toEqual([
      'unavailable: The MCP server played could not be asked: was redirected to http://169.254.169.254/latest.',
      expect.stringMatching(/^unavailable: The MCP server played could not be asked: .*invalid_token/),
    ]);
  });
});
