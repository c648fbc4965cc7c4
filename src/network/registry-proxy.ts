import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type HostLookup, type NetworkPolicy, resolveHost, systemLookup } from './resolve-host.ts';
import { type FirstBytes, readServerName, whyNotCarried } from './server-name.ts';

/** A proxy that is open. */
export interface RegistryProxy {
  /** Refusals so far: `host` or `host:port` with the reason, at most `refusals`. */
  readonly refused: ReadonlyMap<string, string>;
  /** True after the byte limit; then nothing passes. */
  exhausted(): boolean;
  close(): Promise<void>;
}

/** Maximum bytes in both directions, connections and refusals; time-outs in milliseconds. */
export interface ProxyLimits {
  readonly bytes: number;
  readonly connections: number;
  readonly connectMs: number;
  readonly idleMs: number;
  readonly refusals: number;
}

/** Enough for a large project, too little to fill a disk. */
const standardLimits: ProxyLimits = {
  bytes: 4 * 1024 ** 3,
  connections: 64,
  connectMs: 20_000,
  idleMs: 60_000,
  refusals: 20,
};

/** Headers of one hop, which are not forwarded (RFC 9110, 7.6.1), and proxy credentials. */
const ofOneHop = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/**
 * Opens an HTTP proxy on a Unix socket at `socketPath`. It makes tunnels (CONNECT, RFC 9110, 9.3.6)
 * and forwards GET and HEAD, to hosts of `policy` only. It adds no credentials and looks names up
 * itself. TLS in a tunnel must be for the tunnel's host.
 */
export async function openRegistryProxy(options: {
  readonly socketPath: string;
  readonly policy: NetworkPolicy;
  readonly limits?: Partial<ProxyLimits>;
  readonly lookup?: HostLookup;
}): Promise<RegistryProxy> {
  const upstreams = new Upstreams(
    { ...standardLimits, ...options.limits },
    options.policy,
    options.lookup ?? systemLookup,
  );
  const server = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 0 });
  server.maxConnections = upstreams.limits.connections;
  server.on('connection', (socket: Socket) => upstreams.track(socket));
  server.on('connect', (message: IncomingMessage, client: Duplex, head: Buffer) => {
    void tunnel(message.url ?? '', client, head, upstreams);
  });
  server.on('request', (message, response) => {
    void forward(message, response, upstreams);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.socketPath, resolve);
  });
  return {
    refused: upstreams.refused,
    exhausted: () => upstreams.isExhausted,
    async close() {
      upstreams.destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The connections of a proxy: decides where they go, and counts and bounds what they carry. */
class Upstreams {
  readonly refused = new Map<string, string>();
  readonly limits: ProxyLimits;
  readonly #policy: NetworkPolicy;
  readonly #lookup: HostLookup;
  readonly #open = new Set<Duplex>();
  #bytes = 0;

  constructor(limits: ProxyLimits, policy: NetworkPolicy, lookup: HostLookup) {
    this.limits = limits;
    this.#policy = policy;
    this.#lookup = lookup;
  }

  get isExhausted(): boolean {
    return this.#bytes > this.limits.bytes;
  }

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /** Counts what a socket receives, and ends it with the proxy. */
  track(socket: Socket): void {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.isExhausted) this.destroyAll();
    });
  }

  /** Records a refusal. Returns null. */
  refuse(host: string, port: number, why: string): null {
    const isUsual = Number.isNaN(port) || port === 443 || port === 80;
    const target = (isUsual ? host : `${host}:${port}`).slice(0, 200);
    if (this.refused.size < this.limits.refusals && !this.refused.has(target)) this.refused.set(target, why);
    return null;
  }

  /** The address to connect to; null, with the refusal recorded, if there is none. */
  async decide(host: string, port: number): Promise<string | null> {
    try {
      const resolved = await resolveHost(host, port, this.#policy, this.#lookup);
      return 'address' in resolved ? resolved.address : this.refuse(host, port, resolved.refused);
    } catch {
      return this.refuse(host, port, 'its name cannot be looked up');
    }
  }

  dial(address: string, port: number): Socket {
    const socket = connect({ host: address, port });
    this.track(socket);
    const timer = setTimeout(() => socket.destroy(), this.limits.connectMs);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.setTimeout(this.limits.idleMs, () => socket.destroy());
    });
    socket.once('close', () => clearTimeout(timer));
    return socket;
  }
}

/** Answers a CONNECT request for `authority`, a host and a port. */
async function tunnel(authority: string, client: Duplex, head: Buffer, upstreams: Upstreams): Promise<void> {
  const target = /^([^:[\]/@]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})$/.exec(authority);
  const host = (target?.[1] ?? '').replace(/^\[|\]$/g, '');
  const port = Number(target?.[2]);
  const address = await upstreams.decide(target === null ? authority : host, port);
  if (address === null) return void client.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
  if (client.destroyed) return;
  const upstream = upstreams.dial(address, port);
  upstream.once('connect', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    // Some servers speak first.
    upstream.pipe(client);
    carry(client, upstream, head, (first) => {
      const why = whyNotCarried(first, host, port, isIP(host) !== 0);
      return why === null || upstreams.refuse(host, port, why) !== null;
    });
  });
  // The client may not have read what came before the end.
  upstream.once('close', (broken) => (broken ? client.destroy() : client.end()));
  client.once('close', () => upstream.destroy());
}

/** Connects a client to `upstream` once its first bytes are allowed; otherwise ends both. */
function carry(
  client: Duplex,
  upstream: Socket,
  head: Buffer,
  mayCarry: (first: Exclude<FirstBytes, { kind: 'more' }>) => boolean,
): void {
  let bytes = head;
  const inspect = (): void => {
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
    inspect();
  };
  client.once('end', () => upstream.end());
  inspect();
}

/** Forwards a plain request, rebuilt so that no framing is passed on. */
async function forward(
  message: IncomingMessage,
  response: ServerResponse,
  upstreams: Upstreams,
): Promise<void> {
  const url = URL.parse(message.url ?? '');
  const { method = 'GET' } = message;
  const fits = url !== null && url.protocol === 'http:' && (method === 'GET' || method === 'HEAD');
  if (!fits) return void response.writeHead(405).end();
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? 80 : Number(url.port);
  const address = await upstreams.decide(host, port);
  if (address === null) return void response.writeHead(403).end();
  const upstream = httpRequest({
    method,
    path: `${url.pathname}${url.search}`,
    headers: { ...passedOn(message.headers), host: url.host },
    createConnection: () => upstreams.dial(address, port),
  });
  const giveUp = () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  };
  upstream.on('response', (answer) => {
    answer.on('error', () => response.destroy());
    // Node reads any status, and throws on writing an invalid one (RFC 9110, 15).
    const { statusCode = 0 } = answer;
    if (statusCode < 200 || statusCode > 599) return void upstream.destroy();
    response.writeHead(statusCode, passedOn(answer.headers));
    answer.pipe(response);
  });
  upstream.on('error', giveUp);
  // Also after another protocol. What came may still be on its way.
  upstream.on('close', () => void (response.headersSent || giveUp()));
  response.once('close', () => upstream.destroy());
  upstream.end();
}

function passedOn(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !ofOneHop.has(name)) passed[name] = value;
  return passed;
}
