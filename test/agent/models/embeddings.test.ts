import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEmbedder } from '../../../src/agent/models/embeddings.ts';

interface Said {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const vectors: Said = { status: 200, body: '{"data":[{"index":0,"embedding":[1,2]}]}' };

/** The server's answers to the requests; the last one repeats. */
let says: Said[] = [];
let asked = 0;
let server: Server;
let baseUrl = '';
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      asked += 1;
      const { status, body = 'busy', headers = {} } = (says.length > 1 ? says.shift() : says[0]) ?? vectors;
      response.writeHead(status, headers).end(body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => server.close());
beforeEach(() => {
  asked = 0;
});

const busy = (seconds: number): Said => ({ status: 429, headers: { 'retry-after': String(seconds) } });

/**
 * The result of one request, the number of calls to the server, and the waits in between in
 * milliseconds.
 */
async function embed(
  sleep: (ms: number) => Promise<void> = async () => undefined,
  abort = new AbortController(),
) {
  const waits: number[] = [];
  const clock = {
    sleep: (ms: number) => {
      waits.push(ms);
      return sleep(ms);
    },
    random: () => 0,
  };
  const providers = { local: { type: 'openai-compatible' as const, baseUrl, apiKey: '{env:KEY}' } };
  const embedder = createEmbedder(
    { name: 'local/e', providers, environment: { KEY: 'k-0123456789' } },
    clock,
  );
  const made = await embedder.embed(['a'], abort.signal).catch((error: unknown) => String(error));
  return { made, asked, waits };
}

const failure = (why: string): string =>
  `ToolError: The embeddings of local/e could not be had: ${why}. Search by grep or code_search instead.`;

test('a busy server is asked again after the time it requests', async () => {
  says = [busy(7), { status: 503 }, vectors];
  expect(await embed()).toEqual({ made: [[1, 2]], asked: 3, waits: [7_000, 500] });
});

test('a server that stays busy, or requests too long a wait, fails the search with a message', async () => {
  says = [busy(1)];
  expect(await embed()).toEqual({
    ...{ made: failure('HTTP 429: busy (tried 3 times)'), asked: 3, waits: [1_000, 1_000] },
  });
  asked = 0;
  says = [busy(3_600)];
  expect(await embed()).toEqual({
    ...{ made: failure('HTTP 429: busy, and asks to wait 3600 s'), asked: 1, waits: [] },
  });
});

test.each([
  { status: 401, body: 'who are you' },
  { status: 400, body: 'no such model' },
  { status: 429, body: '{"error":{"code":"insufficient_quota"}}' },
])('an error that waiting cannot fix is not retried: $body', async (reply) => {
  says = [reply];
  expect(await embed()).toEqual({
    made: failure(`HTTP ${reply.status}: ${reply.body}`),
    asked: 1,
    waits: [],
  });
});

test('the end of a run ends the wait for a server', async () => {
  says = [busy(1)];
  const abort = new AbortController();
  const sleep = async () => abort.abort(new Error('stopped'));
  expect(await embed(sleep, abort)).toEqual({ made: 'Error: stopped', asked: 1, waits: [1_000] });
});

test('a key repeated by the server is removed whole from the message, even where the text is cut', async () => {
  says = [{ status: 400, body: `${'x'.repeat(295)}k-0123456789` }];
  expect((await embed()).made).toBe(failure(`HTTP 400: ${'x'.repeat(295)}***`));
});
