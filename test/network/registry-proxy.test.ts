import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allowedHost } from '../../src/network/allowed-host.ts';
import { openRegistryProxy, type ProxyLimits, type RegistryProxy } from '../../src/network/registry-proxy.ts';
import type { HostLookup } from '../../src/network/resolve-host.ts';

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
  await new Promise<void>((settle) => server.listen(0, '127.0.0.2', settle));
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
  options: { private?: readonly string[]; lookup?: HostLookup; limits?: Partial<ProxyLimits> } = {},
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
    let reply = '';
    socket.on('data', (chunk) => {
      reply += chunk;
    });
    socket.on('error', () => settle(reply));
    socket.on('close', () => settle(reply));
    socket.write(bytes);
  });
}

/** Calls after so many turns of the event loop. */
const afterTurns = (turns: number, then: () => void): void =>
  void setImmediate(() => (turns === 0 ? then() : afterTurns(turns - 1, then)));

const statusOf = (replyText: string) => replyText.split('\r\n')[0];
const tunnel = (target: string, then = '') =>
  send(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n${then}`);
const local = () => `localhost:${port}`;
const get1 = 'GET /through HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

describe('the proxy of a set-up', () => {
  it('passes GET on to a registry, without the headers for the proxy', async () => {
    await open([local()], { private: [local()], lookup: async () => ['127.0.0.2'] });
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

  it('opens a tunnel to a registry', async () => {
    await open([local()], { private: [local()], lookup: async () => ['127.0.0.2'] });
    const replies = await tunnel(local(), get1);
    expect(statusOf(replies)).toBe('HTTP/1.1 200 Connection established');
    expect(seen.map(({ url }) => url)).toEqual(['/through']);
  });

  it('refuses any other host, port and method, and reports each host once', async () => {
    await open(['registry.example', local()], { private: [local()], lookup: async () => ['127.0.0.2'] });
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
  ])('refuses a registry whose name leads to %s, even if it has public addresses too', async (address) => {
    await open([`registry.example:${port}`], { lookup: async () => ['104.16.0.1', address] });
    expect(statusOf(await tunnel(`registry.example:${port}`))).toBe('HTTP/1.1 403 Forbidden');
    expect([...(proxy?.refused ?? [])]).toEqual([
      [`registry.example:${port}`, 'it leads to a private address'],
    ]);
  });

  it("refuses a cloud's metadata service even if its address is a listed registry and a private host", async () => {
    const host = '169.254.169.254';
    await open([host], { private: [host] });
    expect(statusOf(await tunnel(`${host}:80`))).toBe('HTTP/1.1 403 Forbidden');
    expect(await get(`http://${host}/latest/meta-data/`)).toEqual([403, '']);
  });

  it('looks a name up once and connects to the address that was checked', async () => {
    const answers = ['127.0.0.2', '10.255.255.1'];
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

  it('ends all connections once the size limit is passed', async () => {
    await open([local()], { private: [local()], lookup: async () => ['127.0.0.2'], limits: { bytes: 500 } });
    await expect(get(`http://${local()}/`)).rejects.toThrow();
    await expect(get(`http://${local()}/`)).rejects.toThrow();
    expect({ exhausted: proxy?.exhausted(), requests: seen.length }).toEqual({
      exhausted: true,
      requests: 1,
    });
  });

  it('sends everything to a slow reader, even after the registry has hung up', async () => {
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

  it('survives invalid responses', async () => {
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

  it('survives invalid requests', async () => {
    await open([local()], { private: [local()], lookup: async () => ['127.0.0.2'] });
    await send('\0\0nonsense\r\n\r\n');
    await tunnel('user@evil.example:443@localhost:80');
    await tunnel('[::1]:443');
    await send(`GET http://${local()}/ HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect((await get(`http://${local()}/`))[0]).toBe(200);
  });

  it('counts every byte in both directions and stops after the last permitted one', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc';
    const { host, close } = await answering(answer);
    const opening = `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const all = opening.length + get1.length + answer.length;
    const ends = [];
    for (const bytes of [all, all - 1]) {
      await open([host], { private: [host], lookup: async () => ['127.0.0.1'], limits: { bytes } });
      const said = await send(`${opening}${get1}`);
      ends.push([said.endsWith('abc'), proxy?.exhausted()]);
      await proxy?.close();
    }
    await close();
    expect(ends).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('reports hosts by name, with an unusual port, up to a maximum number', async () => {
    const lookup: HostLookup = async () => Promise.reject(new Error('no such name'));
    await open(['known.example'], { lookup, limits: { refusals: 8 } });
    const requested = [
      ...['a.example:443', 'b.example:80', 'c.example:8443', '[::1]:443', '[::2]:1', 'known.example:443'],
      ...['user@d.example:443', 'e.example:443000', 'f.example:443'],
    ];
    for (const target of requested) await tunnel(target);
    expect([...(proxy?.refused ?? [])]).toEqual([
      ['a.example', 'it is not among the allowed hosts'],
      ['b.example', 'it is not among the allowed hosts'],
      ['c.example:8443', 'it is not among the allowed hosts'],
      ['::1', 'it is not among the allowed hosts'],
      ['::2:1', 'it is not among the allowed hosts'],
      ['known.example', 'its name cannot be looked up'],
      ['user@d.example:443', 'it is not among the allowed hosts'],
      ['e.example:443000', 'it is not among the allowed hosts'],
    ]);
    await get('http://g.example:8080/');
    expect(proxy?.refused.size).toBe(8);
  });

  it('reports a long name by its first 200 characters, for plain requests and tunnels', async () => {
    await open(['known.example']);
    await get('http://a.example:8080/');
    await get('http://b.example/');
    await get('http://[::3]:81/');
    await tunnel(`${'x'.repeat(300)}:443`);
    expect([...(proxy?.refused.keys() ?? [])]).toEqual([
      'a.example:8080',
      'b.example',
      '::3:81',
      'x'.repeat(200),
    ]);
  });

  it('passes HEAD on, without hop-by-hop headers in either direction', async () => {
    const ofOneHop = [
      'Keep-Alive',
      'Proxy-Authenticate',
      'Proxy-Authorization',
      'Proxy-Connection',
      'TE',
      'Trailer',
      'Upgrade',
    ];
    const lines = ofOneHop.map((name) => `${name}: x\r\n`).join('');
    const { host, close, requests } = await answering(
      `HTTP/1.1 404 No\r\n${lines}X-Kept: y\r\nX-Kept: z\r\nConnection: close\r\n\r\n`,
    );
    await open([host], { private: [host], lookup: async () => ['127.0.0.1'] });
    const said = await send(
      `HEAD http://${host}/a?b HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Kept: y\r\n${lines}\r\n`,
    );
    await close();
    const heads = (text: string) =>
      text
        .split('\r\n')
        .filter((line) => line !== '' && !/^(Date|Connection|Host|Transfer-Encoding):/i.test(line));
    expect([heads(said), requests.map(heads)]).toEqual([
      ['HTTP/1.1 404 Not Found', 'x-kept: y, z'],
      [['HEAD /a?b HTTP/1.1', 'x-kept: y']],
    ]);
  });

  it.each([
    [200, 200],
    [599, 599],
    [600, 502],
    [199, 502],
  ])('passes status %i on as %i', async (status, passed) => {
    const { host, close } = await answering(
      `HTTP/1.1 ${status} X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    await open([host], { private: [host], lookup: async () => ['127.0.0.1'] });
    expect((await get(`http://${host}/`))[0]).toBe(passed);
    await close();
  });

  it('gives up on a registry that is silent, cannot be reached or breaks off', async () => {
    const silent = await answering(null);
    const broken = await answering('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc');
    const hosts = [silent.host, broken.host, 'localhost:1'];
    await open(hosts, { private: hosts, lookup: async () => ['127.0.0.1'], limits: { idleMs: 50 } });
    expect([(await get(`http://${silent.host}/`))[0], (await get('http://localhost:1/'))[0]]).toEqual([
      502, 502,
    ]);
    await expect(get(`http://${broken.host}/`)).rejects.toThrow('aborted');
    expect(await tunnel('localhost:1')).toBe('');
    expect(await tunnel(silent.host)).toBe('HTTP/1.1 200 Connection established\r\n\r\n');
    await silent.close();
    await broken.close();
  });

  it('limits the number of simultaneous connections', async () => {
    await open([local()], {
      private: [local()],
      lookup: async () => ['127.0.0.1'],
      limits: { connections: 1 },
    });
    const first = connect(socketPath());
    await new Promise((settle) => first.once('connect', settle));
    await expect(get(`http://${local()}/`)).rejects.toThrow();
    first.destroy();
  });

  it('cannot be opened if its socket cannot be created', async () => {
    await expect(
      openRegistryProxy({
        socketPath: join(folder, 'none/proxy.sock'),
        policy: { allowed: [], privateAllowed: [] },
      }),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(ENOENT|EACCES)$/) });
  });
});

/** A registry that answers each request with these bytes, or never, and then hangs up. */
async function answering(bytes: string | null) {
  const requests: string[] = [];
  const peers = new Set<Socket>();
  const registry = createTcpServer((peer) => {
    peers.add(peer);
    peer.on('error', () => {});
    peer.once('data', (chunk) => {
      requests.push(String(chunk));
      if (bytes !== null) peer.end(bytes);
    });
  });
  await new Promise<void>((settle) => registry.listen(0, '127.0.0.1', settle));
  return {
    host: `localhost:${(registry.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      for (const peer of peers) peer.destroy();
      await new Promise((settle) => registry.close(settle));
    },
  };
}
