import { readFile, writeFile } from 'node:fs/promises';
import { createServer, request as forward, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { providers } from '../../src/agent/models/providers.ts';
import { resolveProvider } from '../../src/agent/models/resolve-provider.ts';
import { type Adapter, adapters } from '../agent/models/adapter-contract.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type Local, localKey, startLocal } from '../uses/support/start-local.ts';

vi.setConfig({ testTimeout: 120_000 });

let local: Local;
let folder: string;
beforeAll(async () => {
  local = await startLocal();
  folder = await local.checkout({ 'a.txt': 'red\n' });
});
afterAll(() => local.close());

/** A run of two turns by the built program: a call, and an answer to its result. */
async function twoTurns(
  { provider, settings, title }: Adapter,
  baseUrl: string,
  apiKey: string | null,
  environment: Readonly<Record<string, string>>,
) {
  const task = `read by ${title}${apiKey === null ? ' and a proxy' : ''}.`;
  const own = { ...settings, baseUrl, ...(apiKey !== null && { apiKey }) };
  const config = path.join(local.home, `${task.replaceAll(/\W+/g, '-')}json`);
  await writeFile(config, JSON.stringify({ providers: { [provider]: own } }));
  local.learn(task, (turn) =>
    turn === 1
      ? { text: 'I look.', calls: [call('read', { path: 'a.txt' })], usage: { input: 50, output: 9 } }
      : { text: 'It is red.', usage: { input: 70, output: 4, cache_read: 30 } },
  );
  const { code, stdout, stderr } = await local.anode(
    folder,
    [
      ...['run', '--config', config, '--model', `${provider}/fake-1`, '--prompt', task],
      ...['--output', 'json'],
    ],
    { environment },
  );
  const { answer, stop, turns, usage } = stdout === '' ? {} : JSON.parse(stdout);
  const requests = local.requestsFor(task);
  return {
    ended: { code, stderr, answer, stop, turns, usage },
    asked: requests.map((request) => request.api),
    results: requests.slice(1).map(lastResults),
  };
}

const whole = (api: Adapter['api']) => ({
  ended: {
    ...{ code: 0, stderr: '', answer: 'It is red.', stop: null, turns: 2 },
    usage: { input: 120, output: 13, cache_read: 30, cache_write: 0 },
  },
  asked: [api, api],
  results: [expect.stringContaining('red')],
});

test.concurrent.for(adapters)('$title completes two turns with a call and its result', async (adapter) => {
  const baseUrl = local.model.url + adapter.path;
  const ran = await twoTurns(adapter, baseUrl, '{env:THE_KEY}', { THE_KEY: localKey });
  expect(ran).toEqual(whole(adapter.api));
});

test('Vertex signs in and sends requests through a proxy', async () => {
  const vertex = adapters.find(({ provider }) => provider === 'vertex');
  if (vertex === undefined) throw new Error('there is no adapter for Vertex');
  const tokens = await serve((incoming, response) => {
    incoming.resume();
    const issued = { access_token: localKey, token_type: 'Bearer', expires_in: 3600 };
    const type = { issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...issued, ...type }));
  });
  const through: string[] = [];
  const model = Number(new URL(local.model.url).port);
  // Requests without TLS are forwarded; tunnels lead to the server of tokens.
  const proxy = await serve((incoming, response) => {
    const { host, pathname } = new URL(incoming.url ?? '');
    through.push(host);
    const { method, headers } = incoming;
    const onward = forward({ host: '127.0.0.1', port: model, path: pathname, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  proxy.on('connect', (incoming, socket) => {
    through.push(`tunnel to ${incoming.url}`);
    const tunnel = connect(portOf(tokens), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      tunnel.pipe(socket).pipe(tunnel);
    });
    tunnel.on('error', () => socket.destroy());
    socket.on('error', () => tunnel.destroy());
  });
  try {
    const subject = path.join(local.home, 'subject-token');
    const credentials = path.join(local.home, 'credentials.json');
    await writeFile(subject, 'a token of the machine');
    await writeFile(
      credentials,
      JSON.stringify({
        type: 'external_account',
        audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/p',
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        token_url: 'http://tokens.test/v1/token',
        credential_source: { file: subject },
      }),
    );
    const at = `http://127.0.0.1:${portOf(proxy)}`;
    const ran = await twoTurns(vertex, 'http://vertex.test/v1', null, {
      ...{ HTTPS_PROXY: at, HTTP_PROXY: at, GOOGLE_APPLICATION_CREDENTIALS: credentials },
    });
    expect({ ...ran, through: [...new Set(through)] }).toEqual({
      ...whole('messages'),
      through: ['tunnel to tokens.test:80', 'vertex.test'],
    });
  } finally {
    for (const server of [tokens, proxy]) {
      server.close();
      server.closeAllConnections();
    }
  }
});

test('every loaded adapter has a row', async () => {
  const pairs = new Set(
    adapters.map(({ provider, settings }) => {
      const { host, wire } = resolveProvider({
        ...{ name: `${provider}/any`, environment: { THE_KEY: 'a-key-of-a-test' } },
        providers: { [provider]: { ...settings, baseUrl: 'http://127.0.0.1/v1', apiKey: '{env:THE_KEY}' } },
      });
      return `${host ?? 'vendor'} by ${wire}`;
    }),
  );
  const known = Object.values(providers).map(({ host, wire }) => `${host ?? 'vendor'} by ${wire}`);
  expect([...new Set(known)].filter((pair) => !pairs.has(pair))).toEqual([]);
  // A new one is a new module here: give it a row in `adapters`.
  const source = await readFile(new URL('../../src/agent/models/load-wire.ts', import.meta.url), 'utf8');
  const modules = [...source.matchAll(/import\('\.\/([\w-]+)\.ts'\)/g)].map(([, name]) => name);
  expect({ modules: [...new Set(modules)], adapters: adapters.length }).toEqual({
    modules: [
      ...['bedrock-messages', 'vertex-messages', 'azure-client', 'openai-responses', 'openai-chat'],
      'anthropic-messages',
    ],
    adapters: 7,
  });
});

async function serve(listener: Parameters<typeof createServer>[1]): Promise<Server> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
