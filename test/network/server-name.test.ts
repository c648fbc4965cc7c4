import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect as connectPlain, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { allowedHost } from '../../src/network/allowed-host.ts';
import { openRegistryProxy } from '../../src/network/registry-proxy.ts';
import { readServerName, whyNotCarried } from '../../src/network/server-name.ts';

/** What Node's own TLS sends first to a server of that name. */
async function hello(servername: string): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', servername });
  client.on('error', () => {});
  const [socket] = await accepted;
  const [bytes] = await once(socket, 'data');
  socket.destroy();
  client.destroy();
  server.close();
  return bytes;
}

test("the name is read from a client's first message, however it is split, and from nothing else", async () => {
  const bytes = await hello('registry.npmjs.org');
  const body = bytes.subarray(5);
  const record = (part: Buffer) =>
    Buffer.concat([bytes.subarray(0, 3), Buffer.from([part.length >> 8, part.length & 255]), part]);
  const records = Buffer.concat([
    record(body.subarray(0, 3)),
    record(body.subarray(3, 90)),
    record(body.subarray(90)),
  ]);
  const broken = Buffer.from(bytes);
  broken.writeUInt8(255, 43);
  const found = { kind: 'tls', name: 'registry.npmjs.org' };
  expect([readServerName(bytes), readServerName(records), readServerName(await hello(''))]).toEqual([
    ...[found, found, { kind: 'tls', name: null }],
  ]);
  const cuts = Array.from({ length: bytes.length }, (_, length) => readServerName(bytes.subarray(0, length)));
  expect(cuts.filter(({ kind }) => kind !== 'more')).toEqual([]);
  const others = [
    'GET / HTTP/1.1\r\n',
    'SSH-2.0-x',
    '\x16\x03\x01\x00\x00',
    '\x16\x03\x01\x00\x01\x02',
    '\x16\x02',
  ];
  const read = [...others.map((text) => Buffer.from(text, 'latin1')), broken].map(
    (one) => readServerName(one).kind,
  );
  expect(read.slice(0, 4)).toEqual(Array(4).fill('other'));
  expect(read[5]).toBe('other');
  expect(readServerName(Buffer.alloc(70_000, bytes.subarray(0, 5))).kind).toBe('other');
});

test('a tunnel carries TLS for its own host, and on port 443 nothing else', () => {
  const tls = (name: string | null) => ({ kind: 'tls', name }) as const;
  const why = (first: Parameters<typeof whyNotCarried>[0], host = 'a.test', port = 443, isAddress = false) =>
    whyNotCarried(first, host, port, isAddress);
  expect([
    why(tls('A.test')),
    why(tls('a.test'), 'a.test.'),
    why(tls(null), '10.0.0.1', 443, true),
    why(tls(null), 'a.test', 8443),
    why({ kind: 'other' }, 'a.test', 22),
    why(tls('b.test')),
    why(tls('b.test'), 'a.test', 8443),
    why(tls(null)),
    why({ kind: 'other' }),
  ]).toEqual([
    ...[null, null, null, null, null],
    'what is sent to it is for b.test',
    'what is sent to it is for b.test',
    'what is sent to it names no server',
    'what is sent to it is no TLS',
  ]);
});

test('the proxy refuses and reports TLS for another server than that of the tunnel', async () => {
  const came: string[] = [];
  const registry = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      came.push(/localhost|evil\.test/.exec(bytes.toString('latin1'))?.[0] ?? '');
      socket.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const host = `localhost:${(registry.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), 'anode-proxy-'));
  const socketPath = join(folder, 'proxy.sock');
  const policy = { allowed: [allowedHost(host)], privateAllowed: [allowedHost(host)] };
  const proxy = await openRegistryProxy({ socketPath, policy, lookup: async () => ['127.0.0.1'] });
  for (const servername of ['localhost', 'evil.test']) {
    const socket = connectPlain(socketPath);
    const reply = once(socket, 'data');
    socket.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await reply;
    await once(connect({ socket, servername }), 'error');
  }
  registry.close();
  await proxy.close();
  rmSync(folder, { recursive: true });
  expect([came, [...proxy.refused]]).toEqual([
    ['localhost'],
    [[host, 'what is sent to it is for evil.test']],
  ]);
});
