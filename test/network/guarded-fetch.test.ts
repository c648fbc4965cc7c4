import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it, test } from 'vitest';
import { allowedHost } from '../../src/network/allowed-host.ts';
import { boundedBody, createGuardedFetch, type GuardedFetch } from '../../src/network/guarded-fetch.ts';
import { RequestFailure } from '../../src/network/request-failure.ts';

let servers: Server[] = [];
let open: GuardedFetch[] = [];
let port = 0;
let asked: string[] = [];
let answer: RequestListener = (_request, response) => void response.end('page');

beforeEach(async () => {
  asked = [];
  port = await listen('127.0.0.1', 0, (request, response) => {
    asked.push(`${request.method} http://${request.headers.host}${request.url}`.replaceAll(`:${port}`, ''));
    answer(request, response);
  });
  answer = (_request, response) => void response.end('page');
});

afterEach(async () => {
  await Promise.all(open.map((one) => one.close()));
  for (const server of servers) server.close().closeAllConnections();
  [open, servers] = [[], []];
});

it('requests an allowed host after one look-up and returns a standard response', async () => {
  answer = (_request, response) => {
    response.writeHead(201, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
    response.end(gzipSync('page'));
  };
  const looked: string[] = [];
  const { fetch } = await guarded({ lookup: async (host) => [`127.0.0.${looked.push(host)}`] });
  const response = await fetch(`http://a.test:${port}/x?y=1`, { headers: { accept: 'text/plain' } });
  expect({
    is: response instanceof Response,
    status: response.status,
    url: response.url.replace(`${port}`, 'N'),
    type: response.headers.get('content-type'),
    text: await response.text(),
    looked,
    asked,
  }).toEqual({
    is: true,
    status: 201,
    url: 'http://a.test:N/x?y=1',
    type: 'text/plain',
    text: 'page',
    looked: ['a.test'],
    asked: ['GET http://a.test/x?y=1'],
  });
});

it.each([
  ['ftp://a.test/', 'refused', 'scheme ftp:'],
  ['file:///etc/passwd', 'refused', 'scheme file:'],
  ['data:text/plain,x', 'refused', 'scheme data:'],
  ['http://me:secret@a.test/', 'refused', 'credentials'],
  ['no url', 'refused', 'an invalid URL'],
  ['http://other.test/', 'not_allowed', 'not among the allowed hosts'],
  ['http://a.test:1/', 'not_allowed', 'a.test:1, which is not among'],
])('refuses %s', async (url, kind, words) => {
  const { fetch } = await guarded({});
  expect(await failure(fetch(url))).toEqual({ kind, says: expect.stringContaining(words) });
});

it.each([
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.64.0.1/',
  'http://0.0.0.0/',
  'http://inner.test/',
  'http://both.test/',
])('refuses the private address of %s even if every host is allowed', async (url) => {
  const { fetch } = await guarded({
    allowed: ['*'],
    privateAllowed: [],
    lookup: async (host) => (host === 'both.test' ? ['93.184.215.14', '10.0.0.1'] : ['10.0.0.1']),
  });
  expect(await failure(fetch(url))).toEqual({
    kind: 'refused',
    says: expect.stringContaining('it leads to a private address'),
  });
});

it('connects to the address that was checked, even if the name resolves to another later', async () => {
  const seen: string[] = [];
  await listen('127.0.0.2', port, (_request, response) => {
    seen.push('the other');
    response.end();
  });
  const addresses = ['127.0.0.1', '127.0.0.2'];
  const { fetch } = await guarded({ lookup: async () => [addresses.shift() ?? '127.0.0.2'] });
  expect([await (await fetch(`http://a.test:${port}/`)).text(), seen]).toEqual(['page', []]);
});

it('follows redirects to allowed hosts, without headers that could hold a credential', async () => {
  const headers: IncomingMessage['headers'][] = [];
  answer = (request, response) => {
    headers.push(request.headers);
    const location = { '/1': '/2', '/2': `http://b.test:${port}/3` }[request.url ?? ''];
    if (location === undefined) response.end('end');
    else response.writeHead(302, { location, 'set-cookie': 'a=b' }).end();
  };
  const { follow } = await guarded({});
  const { response, urls } = await follow(`http://a.test:${port}/1`, {
    headers: { authorization: 'Bearer x', cookie: 'c=d', 'x-key': 'y', accept: 'text/html' },
  });
  expect({
    text: await response.text(),
    urls: urls.map((url) => url.replace(`:${port}`, '')),
    told: headers.map((one) => [one.authorization, one['x-key'], one.accept, one.cookie]),
  }).toEqual({
    text: 'end',
    urls: ['http://a.test/1', 'http://a.test/2', 'http://b.test/3'],
    told: [
      ['Bearer x', 'y', 'text/html', 'c=d'],
      ['Bearer x', 'y', 'text/html', 'c=d'],
      [undefined, undefined, 'text/html', undefined],
    ],
  });
});

it.each([
  ['http://other.test/', 'not_allowed', 'not among the allowed hosts'],
  ['http://127.0.0.1/', 'not_allowed', 'not among the allowed hosts'],
  ['file:///etc/passwd', 'refused', 'scheme file:'],
  ['/again', 'refused', 'more than 5 times'],
])('refuses a redirect to %s', async (location, kind, words) => {
  answer = (_request, response) => void response.writeHead(302, { location }).end();
  const { fetch } = await guarded({});
  expect(await failure(fetch(`http://a.test:${port}/`))).toEqual({
    kind,
    says: expect.stringContaining(words),
  });
});

it('returns a redirect that it may not follow, and refuses it if redirects are forbidden', async () => {
  answer = (_request, response) => void response.writeHead(302, { location: `http://b.test:${port}/` }).end();
  const { fetch, follow } = await guarded({});
  const url = `http://a.test:${port}/`;
  const manual = await fetch(url, { redirect: 'manual' });
  const stored = await follow(url, {}, { mayFollow: (from, to) => from.host === to.host });
  expect([
    manual.status,
    stored.response.status,
    stored.response.headers.get('location'),
    await failure(fetch(url, { redirect: 'error' })),
  ]).toEqual([
    302,
    302,
    `http://b.test:${port}/`,
    { kind: 'refused', says: `was redirected to http://b.test:${port}/` },
  ]);
});

it('ends an endless redirect response before it follows the redirect', async () => {
  const ended = Promise.withResolvers<void>();
  answer = (request, response) => {
    if (request.url === '/end') return void ended.promise.then(() => response.end('page'));
    response.writeHead(302, { location: '/end' }).write('x');
    response.once('close', ended.resolve);
  };
  const { fetch } = await guarded({ limits: { totalMs: 4_000 } });
  expect(await (await fetch(`http://a.test:${port}/`)).text()).toBe('page');
});

it('sends a body again only within its origin', async () => {
  const bodies: string[] = [];
  answer = async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    bodies.push(`${request.url} ${Buffer.concat(chunks)}`);
    const to = { '/same': '/end', '/away': `http://b.test:${port}/end` }[request.url ?? ''];
    if (to === undefined) response.end();
    else response.writeHead(307, { location: to }).end();
  };
  const { fetch } = await guarded({});
  const send = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } };
  await fetch(new Request(`http://a.test:${port}/same`, send));
  expect([await failure(fetch(`http://a.test:${port}/away`, send)), bodies]).toEqual([
    { kind: 'refused', says: expect.stringContaining('which is not sent on') },
    ['/same {"a":1}', '/end {"a":1}', '/away {"a":1}'],
  ]);
});

it('counts bytes after decompression', async () => {
  const bomb = gzipSync(Buffer.alloc(20 * 1024 ** 2));
  answer = (request, response) => {
    const packed = request.url === '/bomb';
    response
      .writeHead(200, packed ? { 'content-encoding': 'gzip' } : {})
      .end(packed ? bomb : 'x'.repeat(2_000));
  };
  const { fetch } = await guarded({ limits: { bytes: 1_000 } });
  const read = async (where: string) => (await fetch(`http://a.test:${port}/${where}`)).arrayBuffer();
  const tooLarge = { kind: 'too_large', says: 'was answered with more than 1000 bytes' };
  expect([await failure(read('bomb')), await failure(read('long'))]).toEqual([tooLarge, tooLarge]);
});

it('takes a response of 5 MiB and no byte more by default', async () => {
  answer = (request, response) => void response.end(Buffer.alloc(Number(request.url?.slice(1))));
  const { fetch } = await guarded({});
  const sizeOf = async (bytes: number) =>
    (await (await fetch(`http://a.test:${port}/${bytes}`)).arrayBuffer()).byteLength;
  expect([await sizeOf(5_242_880), await failure(sizeOf(5_242_881))]).toEqual([
    5_242_880,
    { kind: 'too_large', says: 'was answered with more than 5242880 bytes' },
  ]);
});

it('ends a silent or slow response at the time limit, and on abort', async () => {
  const reason = new Error('the run is over');
  const stop = new AbortController();
  answer = (request, response) => {
    if (request.url === '/slow') response.write('x');
    if (request.url === '/abort') stop.abort(reason);
  };
  const { fetch } = await guarded({ limits: { totalMs: 100 } });
  const patient = await guarded({});
  const late = { kind: 'timeout', says: 'was not answered in time' };
  const url = `http://a.test:${port}`;
  expect([
    await failure(fetch(`${url}/silent`)),
    await failure(fetch(`${url}/slow`).then((response) => response.text())),
    await patient.fetch(`${url}/abort`, { signal: stop.signal }).catch((error: unknown) => error),
  ]).toEqual([late, late, reason]);
});

it('reports a host that cannot be reached', async () => {
  const lookup = async (host: string) =>
    host === 'a.test' ? ['127.0.0.3'] : Promise.reject(new Error('none'));
  const { fetch } = await guarded({ allowed: [`a.test:${port}`, 'b.test'], lookup });
  expect([await failure(fetch(`http://a.test:${port}/`)), await failure(fetch('http://b.test/'))]).toEqual([
    { kind: 'unreachable', says: 'met a failed connection (ECONNREFUSED)' },
    { kind: 'unreachable', says: 'found no host b.test: its name cannot be looked up' },
  ]);
});

it("goes through the operator's proxy, which looks names up, and still refuses addresses private here", async () => {
  const proxied: string[] = [];
  const proxy = await listen('127.0.0.1', 0, (request, response) => {
    proxied.push(`${request.url}`);
    response.end('proxied');
  });
  const { fetch } = await guarded({
    allowed: ['a.test', 'inner.test', '*'],
    privateAllowed: [],
    lookup: async (host) => (host === 'inner.test' ? ['10.0.0.1'] : Promise.reject(new Error('not here'))),
    environment: { http_proxy: `http://127.0.0.1:${proxy}`, no_proxy: 'none.test' },
  });
  expect([
    await (await fetch('http://a.test/x')).text(),
    await failure(fetch('http://inner.test/')),
    await failure(fetch('http://only-there.test/')),
    proxied,
  ]).toEqual([
    'proxied',
    { kind: 'refused', says: 'may not go to inner.test: it leads to a private address' },
    { kind: 'unreachable', says: expect.stringContaining('only-there.test') },
    ['http://a.test/x'],
  ]);
});

it('reports a proxy that cannot be used', async () => {
  expect(await failure(guarded({ environment: { HTTPS_PROXY: 'proxy:3128' } }))).toEqual({
    kind: 'unreachable',
    says: 'needs the proxy that HTTP_PROXY or HTTPS_PROXY names, which is no http URL',
  });
});

async function guarded(options: {
  allowed?: readonly string[];
  privateAllowed?: readonly string[];
  lookup?: (host: string) => Promise<readonly string[]>;
  limits?: { bytes?: number; totalMs?: number };
  environment?: Record<string, string>;
}): Promise<GuardedFetch> {
  const { allowed = [`a.test:${port}`, `b.test:${port}`], lookup = async () => ['127.0.0.1'] } = options;
  const { privateAllowed = allowed, limits = {}, environment = {} } = options;
  const made = await createGuardedFetch({
    policy: { allowed: allowed.map(allowedHost), privateAllowed: privateAllowed.map(allowedHost) },
    lookup,
    limits,
    environment,
  });
  open.push(made);
  return made;
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    (value) => value,
    (thrown: unknown) => thrown,
  );
  return error instanceof RequestFailure ? { kind: error.kind, says: error.message } : error;
}

async function listen(host: string, at: number, listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(at, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A stream of chunks, and what it was cancelled for. */
function streamOf(...chunks: readonly (string | Error)[]) {
  const cancelled: unknown[] = [];
  const left = [...chunks];
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = left.shift();
        if (chunk === undefined) controller.close();
        else if (chunk instanceof Error) controller.error(chunk);
        else controller.enqueue(new TextEncoder().encode(chunk));
      },
      cancel: (reason) => void cancelled.push(reason),
    },
    { highWaterMark: 0 },
  );
  return { stream, cancelled, left };
}

const bounded = (stream: ReadableStream<Uint8Array>, most: number) =>
  boundedBody(
    stream,
    most,
    (error) => new Error(`explained: ${error instanceof Error ? error.message : String(error)}`),
    () => new Error('too large'),
  );
const textOf = (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => new Response(stream).text();

test('a response up to the limit is passed on', async () => {
  const { stream, cancelled } = streamOf('abc', 'de');
  expect([await textOf(bounded(stream, 5)), cancelled]).toEqual(['abcde', []]);
});

test('one byte over the limit ends the stream without the rest', async () => {
  const { stream, cancelled, left } = streamOf('abc', 'def', 'more');
  await expect(textOf(bounded(stream, 5))).rejects.toThrow('too large');
  expect([cancelled, left]).toEqual([[undefined], ['more']]);
});

test('an error of the stream is explained', async () => {
  const { stream } = streamOf('abc', new Error('broke'));
  await expect(textOf(bounded(stream, 5))).rejects.toThrow('explained: broke');
});

test('nothing is read ahead, and cancelling it cancels the source', async () => {
  const { stream, cancelled, left } = streamOf('abc', 'de');
  const body = bounded(stream, 5);
  await Promise.resolve();
  await body.cancel('enough');
  expect([left, cancelled]).toEqual([['abc', 'de'], ['enough']]);
});
