import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allowedHost } from '../../../src/permissions/network/allowed-host.ts';
import {
  openRegistryProxy,
  type ProxyLimits,
  type RegistryProxy,
} from '../../../src/permissions/network/registry-proxy.ts';
import type { Lookup } from '../../../src/permissions/network/resolve-host.ts';

let folder: string;
let server: Server;
let port: number;
let seen: { method: string; url: string; headers: Record<string, unknown> }[];
let proxy: RegistryProxy | null = null;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'anode-proxy-'));
  seen = [];
  server = createServer((request, response) => {
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    response.end('x'.repeat(1_000));
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  await proxy?.close();
  proxy = null;
  server.closeAllConnections();
  await new Promise((settle) => server.close(settle));
  rmSync(folder, { recursive: true, force: true });
});

const socketPath = () => join(folder, 'proxy.sock');

async function open(
  allowed: readonly string[],
  options: { private?: readonly string[]; lookup?: Lookup; limits?: Partial<ProxyLimits> } = {},
): Promise<void> {
  const policy = {
    allowed: allowed.map(allowedHost),
    privateAllowed: (options.private ?? []).map(allowedHost),
  };
  const { lookup, limits } = options;
  proxy = await openRegistryProxy({
    socketPath: socketPath(),
    policy,
    ...(lookup === undefined ? {} : { lookup }),
    ...(limits === undefined ? {} : { limits }),
  });
}

/** The status that a plain request through the proxy gets, and its body. */
function get(
  url: string,
  options: { method?: string; headers?: Record<string, string> } = {},
): Promise<[number, string]> {
  return new Promise((settle, fail) => {
    const request = httpRequest({ socketPath: socketPath(), path: url, ...options }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => settle([response.statusCode ?? 0, body]));
      response.on('error', fail);
    });
    request.on('error', fail);
    request.end();
  });
}

/** All that comes back when these bytes are sent. */
function send(bytes: string): Promise<string> {
  return new Promise((settle) => {
    const socket = connect(socketPath());
    let said = '';
    socket.on('data', (chunk) => {
      said += chunk;
    });
    socket.on('error', () => settle(said));
    socket.on('close', () => settle(said));
    socket.write(bytes);
  });
}

/** Calls after so many turns of the event loop. */
const afterTurns = (turns: number, then: () => void): void =>
  void setImmediate(() => (turns === 0 ? then() : afterTurns(turns - 1, then)));

const statusOf = (said: string) => said.split('\r\n')[0];
const tunnel = (target: string, then = '') =>
  send(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n${then}`);
const local = () => `localhost:${port}`;
const get1 = 'GET /through HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

describe('the proxy of a set-up', () => {
  it('passes GET on to a registry, without what was said to the proxy alone', async () => {
    await open([local()], { private: [local()], lookup: async () => ['127.0.0.1'] });
    const [status, body] = await get(`http://${local()}/a?b=c`, {
      headers: { 'proxy-authorization': 'Basic c2VjcmV0', accept: 'text/plain', host: 'other.example' },
    });
    expect({ status, length: body.length, seen }).toEqual({
      status: 200,
      length: 1_000,
      seen: [
        {
          method: 'GET',
          url: '/a?b=c',
          headers: { accept: 'text/plain', host: local(), connection: 'close' },
        },
      ],
    });
  });

  it('makes a tunnel to a registry', async () => {
    await open([local()], { private: [local()], lookup: async () => ['127.0.0.1'] });
    const said = await tunnel(local(), get1);
    expect(statusOf(said)).toBe('HTTP/1.1 200 Connection established');
    expect(seen.map(({ url }) => url)).toEqual(['/through']);
  });

  it('refuses any other host, port and method, and tells of each host once', async () => {
    await open(['registry.example', local()], { private: [local()], lookup: async () => ['127.0.0.1'] });
    expect(statusOf(await tunnel('evil.example:443'))).toBe('HTTP/1.1 403 Forbidden');
    expect(statusOf(await tunnel('evil.example:443'))).toBe('HTTP/1.1 403 Forbidden');
    expect(statusOf(await tunnel('registry.example:22'))).toBe('HTTP/1.1 403 Forbidden');
    expect(statusOf(await tunnel('registry.example.evil.example:443'))).toBe('HTTP/1.1 403 Forbidden');
    expect(await get('http://other.example/')).toEqual([403, '']);
    expect((await get(`http://${local()}/`, { method: 'POST' }))[0]).toBe(405);
    expect((await get('/no-proxy-request'))[0]).toBe(405);
    expect((await get(`ftp://${local()}/`))[0]).toBe(405);
    expect([...(proxy?.refused ?? [])]).toEqual([
      ['evil.example', 'it is not among the allowed hosts'],
      ['registry.example:22', 'it is not among the allowed hosts'],
      ['registry.example.evil.example', 'it is not among the allowed hosts'],
      ['other.example', 'it is not among the allowed hosts'],
    ]);
    expect(seen).toEqual([]);
  });

  it.each([
    ['127.0.0.1'],
    ['169.254.169.254'],
    ['::ffff:127.0.0.1'],
    ['10.0.0.1'],
  ])('refuses a registry whose name leads to %s, however many public addresses it has besides', async (address) => {
    await open([`registry.example:${port}`], { lookup: async () => ['104.16.0.1', address] });
    expect(statusOf(await tunnel(`registry.example:${port}`))).toBe('HTTP/1.1 403 Forbidden');
    expect([...(proxy?.refused ?? [])]).toEqual([
      [`registry.example:${port}`, 'it leads to a private address'],
    ]);
  });

  it('refuses the metadata of a cloud even where its address is among the registries and the private ones', async () => {
    const host = '169.254.169.254';
    await open([host], { private: [host] });
    expect(statusOf(await tunnel(`${host}:80`))).toBe('HTTP/1.1 403 Forbidden');
    expect(await get(`http://${host}/latest/meta-data/`)).toEqual([403, '']);
  });

  it('looks a name up once, and connects to the address that was checked', async () => {
    const answers = ['127.0.0.1', '10.255.255.1'];
    let looked = 0;
    await open([`registry.example:${port}`], {
      private: [`registry.example:${port}`],
      lookup: async () => [answers[looked++] ?? ''],
    });
    expect(await get(`http://registry.example:${port}/`)).toEqual([200, 'x'.repeat(1_000)]);
    expect({ looked, hosts: seen.map(({ headers }) => headers.host) }).toEqual({
      looked: 1,
      hosts: [`registry.example:${port}`],
    });
  });

  it('ends all connections once more came than may', async () => {
    await open([local()], { private: [local()], lookup: async () => ['127.0.0.1'], limits: { bytes: 500 } });
    await expect(get(`http://${local()}/`)).rejects.toThrow();
    await expect(get(`http://${local()}/`)).rejects.toThrow();
    expect({ exhausted: proxy?.exhausted(), requests: seen.length }).toEqual({
      exhausted: true,
      requests: 1,
    });
  });

  it('hands everything on to a slow reader, also when the registry has hung up', async () => {
    const size = 4 * 2 ** 20;
    const brief = createTcpServer((peer) => void peer.on('error', () => {}).end(Buffer.alloc(size, 'x')));
    await new Promise<void>((settle) => brief.listen(0, '127.0.0.1', settle));
    const host = `localhost:${(brief.address() as AddressInfo).port}`;
    await open([host], { private: [host], lookup: async () => ['127.0.0.1'] });
    let received = 0;
    await new Promise((settle) => {
      const socket = connect(socketPath());
      socket.on('close', settle);
      socket.on('data', (chunk) => {
        received += chunk.length;
        socket.pause();
        afterTurns(20, () => socket.resume());
      });
      socket.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    });
    await new Promise((settle) => brief.close(settle));
    expect(received).toBe(size + 'HTTP/1.1 200 Connection established\r\n\r\n'.length);
  });

  it('survives answers that are none', async () => {
    const answers = [
      'HTTP/1.1 099 X\r\n\r\n',
      'HTTP/1.1 999 X\r\n\r\n',
      'HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      'HTTP/1.1 200 X\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n',
      'nonsense',
    ];
    let answered = 0;
    const odd = createTcpServer((peer) => {
      peer.on('error', () => {}).once('data', () => void peer.end(answers[answered++] ?? ''));
    });
    await new Promise<void>((settle) => odd.listen(0, '127.0.0.1', settle));
    const host = `localhost:${(odd.address() as AddressInfo).port}`;
    await open([host], { private: [host], lookup: async () => ['127.0.0.1'] });
    const statuses = [];
    for (const _ of answers) statuses.push((await get(`http://${host}/`))[0]);
    await new Promise((settle) => odd.close(settle));
    expect(statuses).toEqual(answers.map(() => 502));
  });

  it('survives what is no request', async () => {
    await open([local()], { private: [local()], lookup: async () => ['127.0.0.1'] });
    await send('\0\0nonsense\r\n\r\n');
    await tunnel('user@evil.example:443@localhost:80');
    await tunnel('[::1]:443');
    await send(`GET http://${local()}/ HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect((await get(`http://${local()}/`))[0]).toBe(200);
  });
});
