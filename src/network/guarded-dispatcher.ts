import { isIP, isIPv6 } from 'node:net';
import type { Dispatcher } from 'undici';
import { hostOf, isAllowedHost, portOf } from './allowed-host.ts';
import { RequestFailure } from './request-failure.ts';
import { type HostLookup, type NetworkPolicy, resolveHost } from './resolve-host.ts';

/** Time-outs in milliseconds: to connect, and of silence; 0 for none. */
export interface ConnectionLimits {
  readonly connectMs: number;
  readonly idleMs: number;
}

/** Connections that lead where a policy allows and nowhere else. */
export interface GuardedDispatcher {
  readonly dispatcher: Dispatcher;
  /** Throws `RequestFailure` for a forbidden URL, as far as known without connecting. */
  authorize(url: URL): Promise<void>;
}

/**
 * Creates connections of `undici` whose addresses are checked. A name is looked up once, and the
 * connection uses the very addresses that were checked. If `environment` names a proxy
 * (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`), the proxy looks names up. Then the name decides, and
 * the addresses too if this machine can look them up.
 */
export async function guardedDispatcher(
  policy: NetworkPolicy,
  options: {
    readonly limits: ConnectionLimits;
    readonly lookup: HostLookup;
    readonly environment: Readonly<Record<string, string | undefined>>;
  },
): Promise<GuardedDispatcher> {
  const { buildConnector, EnvHttpProxyAgent } = await import('undici');
  const { limits } = options;
  const { httpProxy, httpsProxy, noProxy } = proxiesOf(options.environment);
  const lookup: HostLookup = (host) =>
    options.lookup(host).catch((cause) => Promise.reject(notFound(host, cause)));
  const addressesOf = async (host: string, port: number) => {
    const resolved = await resolveHost(host, port, policy, lookup);
    if ('addresses' in resolved) return resolved.addresses;
    throw new RequestFailure('refused', `may not go to ${host}: ${resolved.refused}`);
  };
  const connectorTo = (addresses: readonly string[]) => {
    const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    const [first] = all;
    return buildConnector({
      allowH2: false,
      timeout: limits.connectMs,
      // Called for names only: an address in a URL is connected to as written, and was checked as
      // such.
      lookup: (_name: string, { all: wantsAll }: { all?: boolean }, found: (...found: unknown[]) => void) =>
        wantsAll === true ? found(null, all) : found(null, first?.address, first?.family),
    } as Parameters<typeof buildConnector>[0]);
  };
  const dispatcher = new EnvHttpProxyAgent({
    ...{ httpProxy, httpsProxy, noProxy, allowH2: false },
    headersTimeout: limits.idleMs,
    bodyTimeout: limits.idleMs,
    connectTimeout: limits.connectMs,
    connect(to, callback) {
      addressesOf(to.hostname, portOf(to)).then(
        (addresses) => connectorTo(addresses)(to, callback),
        (error: Error) => callback(error, null),
      );
    },
  });
  const authorizeProxied = async (host: string, port: number): Promise<void> => {
    const named = policy.allowed.filter(({ name }) => name !== '*');
    await addressesOf(host, port).catch((error: unknown) => {
      // A name that only `*` allows is checked by its address alone.
      const isUnknown = error instanceof RequestFailure && error.kind === 'unreachable';
      if (!isUnknown || !isAllowedHost(host, port, named)) throw error;
    });
  };
  return {
    dispatcher,
    async authorize(url) {
      const [{ name: host }, port] = [hostOf(url), portOf(url)];
      if (!isAllowedHost(host, port, policy.allowed)) {
        const target = url.port === '' ? host : `${host}:${port}`;
        throw new RequestFailure(
          'not_allowed',
          `may not go to ${target}, which is not among the allowed hosts`,
        );
      }
      if (isIP(host) !== 0) await addressesOf(host, port);
      else if ((url.protocol === 'http:' ? httpProxy : httpsProxy) !== '') await authorizeProxied(host, port);
    },
  };
}

/**
 * Reads the operator's proxy variables. Throws `RequestFailure` for a proxy that is no http URL.
 */
function proxiesOf(environment: Readonly<Record<string, string | undefined>>) {
  const read = (name: string) => environment[name] || environment[name.toUpperCase()] || '';
  const [httpProxy, httpsProxy] = [read('http_proxy'), read('https_proxy') || read('http_proxy')];
  for (const proxy of [httpProxy, httpsProxy])
    if (proxy !== '' && !/^https?:$/.test(URL.parse(proxy)?.protocol ?? ''))
      throw new RequestFailure(
        'unreachable',
        'needs the proxy that HTTP_PROXY or HTTPS_PROXY names, which is no http URL',
      );
  return { httpProxy, httpsProxy, noProxy: read('no_proxy') };
}

function notFound(host: string, cause: unknown): RequestFailure {
  return new RequestFailure('unreachable', `found no host ${host}: its name cannot be looked up`, { cause });
}
