import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOctokit } from '../../src/github/create-octokit.ts';
import { ownOriginFetch } from '../../src/github/own-origin-fetch.ts';

const servers: Server[] = [];
/** Requests as they came: who was asked, for what, and with which token and body. */
let asked: string[] = [];
let own: string;
let other: string;

async function serve(name: string): Promise<string> {
  const textOf = async (request: IncomingMessage) => (await request.toArray()).join('');
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    asked.push(
      `${name} ${request.method} ${url.pathname} ${request.headers.authorization ?? '-'} ${(await textOf(request)) || '-'}`,
    );
    const [, status, , where] = /^\/(\d{3})\/(\w+)(?:\/(\w+))?/.exec(url.pathname) ?? [];
    const to = url.searchParams.get('to');
    response.setHeader('content-type', 'application/json');
    if (status !== undefined && to !== null) response.writeHead(Number(status), { location: to });
    else if (to !== null) response.writeHead(200, { link: `<${to}>; rel="next"` });
    response.end(`["${where ?? name}"]`);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  own = await serve('own');
  other = await serve('other');
});
beforeEach(() => {
  asked = [];
});
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});

const refusal = () => `GitHub's answer leads to ${other}. Requests with a token go to ${own} alone.`;

/** The end of a request, and everything that was asked for it. */
async function play(to: string, init: RequestInit = {}) {
  const headers = { authorization: 'token t', ...(init.body ? { 'content-type': 'text/plain' } : {}) };
  const ended = await ownOriginFetch(`${own}/api/v3`)(to, { ...init, headers }).then(
    (answer) => answer.text(),
    (error: Error) => error.message,
  );
  return [ended, ...asked];
}

test('a redirect on the same origin is followed by its kind', async () => {
  const to = (status: number) => `${own}/${status}/a?to=/end`;
  const post = { method: 'POST', body: 'b' };
  const all = [];
  for (const [status, init] of [
    [301, {}],
    [307, post],
    [302, post],
    [303, post],
  ] as const) {
    asked = [];
    all.push(await play(to(status), init));
  }
  expect(all).toEqual([
    ['["own"]', 'own GET /301/a token t -', 'own GET /end token t -'],
    ['["own"]', 'own POST /307/a token t b', 'own POST /end token t b'],
    ['["own"]', 'own POST /302/a token t b', 'own GET /end token t -'],
    ['["own"]', 'own POST /303/a token t b', 'own GET /end token t -'],
  ]);
});

test('a redirected read goes elsewhere without its token, and a write does not', async () => {
  const read = await play(`${own}/302/log?to=${encodeURIComponent(`${other}/signed`)}`);
  asked = [];
  const write = await play(`${own}/307/a?to=${encodeURIComponent(`${other}/x`)}`, {
    method: 'PATCH',
    body: 'b',
  });
  expect([read, write]).toEqual([
    ['["other"]', 'own GET /302/log token t -', 'other GET /signed - -'],
    [refusal(), 'own PATCH /307/a token t b'],
  ]);
});

test('another origin and another protocol are not requested', async () => {
  const away = await play(`${other}/x`);
  const file = await play(`${own}/302/a?to=${encodeURIComponent('ftp://127.0.0.1/x')}`);
  expect([away, file]).toEqual([
    [refusal()],
    [
      `GitHub's answer leads to ftp://127.0.0.1. Requests with a token go to ${own} alone.`,
      'own GET /302/a token t -',
    ],
  ]);
});

test('endless redirects are given up', async () => {
  const [ended] = await play(`${own}/302/a?to=${encodeURIComponent('/302/a?to=/302/a')}`);
  expect([ended, asked.length]).toEqual(['["own"]', 3]);
  asked = [];
  const loop = `/302/a?to=${encodeURIComponent('?')}`;
  await play(`${own}${loop}`);
  expect(asked.length).toBeLessThanOrEqual(6);
});

test('a list whose next page is elsewhere fails without sending its token', async () => {
  const octokit = createOctokit({ apiUrl: own, token: 't', wait: async () => {} });
  const next = encodeURIComponent(`${other}/next`);
  await expect(octokit.paginate(`GET ${own}/list?to=${next}`)).rejects.toThrow(refusal());
  expect(asked.filter((line) => line.startsWith('other'))).toEqual([]);
});
