import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Lookup, type NetworkPolicy, resolveHost, systemLookup } from './resolve-host.ts';
import { type FirstBytes, readServerName, whyNotCarried } from './server-name.ts';

/** A proxy that is open. */
export interface RegistryProxy {
  /** What was refused so far, `host` or `host:port` with the reason, each once; at most `refusals`. */
  readonly refused: ReadonlyMap<string, string>;
  /** True once more bytes passed than may: from then on nothing does. */
  exhausted(): boolean;
  close(): Promise<void>;
}

/** Bytes in both directions together, connections at once, milliseconds, and refusals that are told of. */
export interface ProxyLimits {
  readonly bytes: number;
  readonly connections: number;
  readonly connectMs: number;
  readonly idleMs: number;
  readonly refusals: number;
}

/** Enough for the dependencies of a large project, and not for filling a disk. */
const standardLimits: ProxyLimits = {
  bytes: 4 * 1024 ** 3,
  connections: 64,
  connectMs: 20_000,
  idleMs: 60_000,
  refusals: 20,
};

/** Headers of one hop, which are not passed on (RFC 9110, 7.6.1), and those a proxy is told its credentials in. */
const ofOneHop = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/**
 * Opens an HTTP proxy on a Unix socket at `socketPath`, which whoever can reach the file may use. It makes tunnels
 * (CONNECT, RFC 9110, 9.3.6) and passes on GET and HEAD, to the hosts of `policy` and nowhere else; it adds nothing
 * of ours, and looks a name up by itself. TLS in a tunnel has to be for the host of the tunnel.
 */
export async function openRegistryProxy(options: {
  readonly socketPath: string;
  readonly policy: NetworkPolicy;
  readonly limits?: Partial<ProxyLimits>;
  readonly lookup?: Lookup;
}): Promise<RegistryProxy> {
  const limits = { ...standardLimits, ...options.limits };
  const { policy, lookup = systemLookup } = options;
  const refused = new Map<string, string>();
  const open = new Set<Duplex>();
  let bytes = 0;

  const keep = <Kind extends Duplex>(socket: Kind): Kind => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  };
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > limits.bytes) for (const socket of open) socket.destroy();
  };
  const refuse = (host: string, port: number, why: string): null => {
    const usual = Number.isNaN(port) || port === 443 || port === 80;
    const shown = (usual ? host : `${host}:${port}`).slice(0, 200);
    if (refused.size < limits.refusals && !refused.has(shown)) refused.set(shown, why);
    return null;
  };
  /** Where to connect to, or null after it was told why not. */
  const decide = async (host: string, port: number): Promise<string | null> => {
    try {
      const resolved = await resolveHost(host, port, policy, lookup);
      return 'address' in resolved ? resolved.address : refuse(host, port, resolved.refused);
    } catch {
      return refuse(host, port, 'its name cannot be looked up');
    }
  };
  const dial = (address: string, port: number): Socket => {
    const socket = keep(connect({ host: address, port }));
    const timer = setTimeout(() => socket.destroy(), limits.connectMs);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.setTimeout(limits.idleMs, () => socket.destroy());
    });
    socket.once('close', () => clearTimeout(timer));
    socket.on('data', count);
    return socket;
  };

  const server = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 0 });
  server.maxConnections = limits.connections;
  server.on('connection', (socket: Socket) => {
    keep(socket);
    socket.on('data', count);
  });
  server.on('connect', (message: IncomingMessage, client: Duplex, head: Buffer) => {
    const target = /^([^:[\]/@]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})$/.exec(message.url ?? '');
    const host = (target?.[1] ?? '').replace(/^\[|\]$/g, '');
    const port = Number(target?.[2]);
    void decide(target === null ? (message.url ?? '') : host, port).then((address) => {
      if (address === null) return void client.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
      if (client.destroyed) return;
      const upstream = dial(address, port);
      upstream.once('connect', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        // Some servers speak first.
        upstream.pipe(client);
        carry(client, upstream, head, (first) => {
          const why = whyNotCarried(first, host, port, isIP(host) !== 0);
          return why === null || refuse(host, port, why) !== null;
        });
      });
      // What came before the end may not have been read yet.
      upstream.once('close', (broken) => (broken ? client.destroy() : client.end()));
      client.once('close', () => upstream.destroy());
    });
  });
  server.on('request', (message, response) => {
    void forward(message, response, decide, dial);
  });
  await new Promise<void>((settle, fail) => {
    server.once('error', fail);
    server.listen(options.socketPath, settle);
  });
  return {
    refused,
    exhausted: () => bytes > limits.bytes,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((settle) => server.close(settle));
    },
  };
}

/** Lets a client speak to `upstream` once its first bytes are known and may be carried; else ends both. */
function carry(
  client: Duplex,
  upstream: Socket,
  head: Buffer,
  mayCarry: (first: Exclude<FirstBytes, { kind: 'more' }>) => boolean,
): void {
  let bytes = head;
  const look = (): void => {
    const first = bytes.length === 0 ? { kind: 'more' as const } : readServerName(bytes);
    if (first.kind === 'more') {
      client.once('data', more);
      client.resume();
      return;
    }
    if (!mayCarry(first)) {
      upstream.destroy();
      client.destroy();
      return;
    }
    upstream.write(bytes);
    client.pipe(upstream);
  };
  const more = (chunk: Buffer): void => {
    client.pause();
    bytes = Buffer.concat([bytes, chunk]);
    look();
  };
  client.once('end', () => upstream.end());
  look();
}

/** Passes a plain request on, made anew: nothing of its framing reaches the other side. */
async function forward(
  message: IncomingMessage,
  response: ServerResponse,
  decide: (host: string, port: number) => Promise<string | null>,
  dial: (address: string, port: number) => Socket,
): Promise<void> {
  const url = URL.parse(message.url ?? '');
  const { method = 'GET' } = message;
  const fits = url !== null && url.protocol === 'http:' && (method === 'GET' || method === 'HEAD');
  if (!fits) return void response.writeHead(405).end();
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? 80 : Number(url.port);
  const address = await decide(host, port);
  if (address === null) return void response.writeHead(403).end();
  const upstream = httpRequest({
    method,
    path: `${url.pathname}${url.search}`,
    headers: { ...passedOn(message.headers), host: url.host },
    createConnection: () => dial(address, port),
  });
  const giveUp = () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  };
  upstream.on('response', (answer) => {
    answer.on('error', () => response.destroy());
    // Node reads any number as a status, and throws where it is to write one that is none (RFC 9110, 15).
    const { statusCode = 0 } = answer;
    if (statusCode < 200 || statusCode > 599) return void upstream.destroy();
    response.writeHead(statusCode, passedOn(answer.headers));
    answer.pipe(response);
  });
  upstream.on('error', giveUp);
  // Also where there was no response at all, but another protocol. What came may still be on its way to the other side.
  upstream.on('close', () => void (response.headersSent || giveUp()));
  response.once('close', () => upstream.destroy());
  upstream.end();
}

function passedOn(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !ofOneHop.has(name)) kept[name] = value;
  return kept;
}
