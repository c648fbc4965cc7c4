import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { allowedHost } from '../../network/allowed-host.ts';
import { openRegistryProxy } from '../../network/registry-proxy.ts';
import { systemLookup } from '../../network/resolve-host.ts';
import { proxyUrl, type Tunnel, tunnelProgram } from '../../network/tunnel-program.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import type { NodeCommand } from '../../sandbox/reachable-node.ts';

/** Mounts and hosts that a sandbox needs for its programs to reach the network. */
export interface SandboxNetwork {
  /** A folder to mount read-only. */
  readonly shown: string;
  /** Lines for `/etc/hosts`. */
  readonly hosts: readonly string[];
}

/** Maximum idle milliseconds of a connection: a query may take minutes. */
const idleMs = 1_800_000;

/** Ports below this need root, which no program in a sandbox has. */
const firstOpenPort = 1_024;

/**
 * Makes a runner whose programs reach the hosts of `entries` only. A host with a port from 1024 on
 * is reached by any protocol over TCP. Others go through the HTTP proxy of the usual variables.
 * Hosts may be private, as the configuration names them. A cloud's metadata service stays closed.
 */
export async function networkedRunner(
  entries: readonly string[],
  node: NodeCommand,
  make: (network: SandboxNetwork) => Promise<CommandRunner>,
): Promise<CommandRunner> {
  const allowed = entries.map(allowedHost);
  // Short, as a socket's path must be.
  const folder = await mkdtemp(path.join(tmpdir(), 'anode-net-'));
  await chmod(folder, 0o711);
  const socketPath = path.join(folder, 'proxy.sock');
  const proxy = await openRegistryProxy({
    socketPath,
    policy: { allowed, privateAllowed: allowed },
    limits: { idleMs },
    // Same as in the sandbox: a local service may listen only on IPv4 or IPv6.
    lookup: async (host) => (host === 'localhost' ? ['127.0.0.1'] : systemLookup(host)),
  });
  await chmod(socketPath, 0o666);
  const tunnels = tunnelsTo(entries);
  const named = tunnels.filter(({ host }) => isIP(host) === 0 && host !== 'localhost');
  const hosts = [...new Set(named.map(({ address, host }) => `${address} ${host}`))];
  const noProxy = tunnels.map(({ host }) => host).join(',');
  const env = {
    ...Object.fromEntries(
      ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [name, proxyUrl]),
    ),
    NO_PROXY: noProxy,
    no_proxy: noProxy,
  };
  const within = (command: string) =>
    node(['-e', tunnelProgram, socketPath, JSON.stringify(tunnels), command]);
  const end = async () => {
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  };
  const runner = await make({ shown: folder, hosts }).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  return {
    sandboxed: runner.sandboxed,
    run: (request) =>
      runner.run({ ...request, command: within(request.command), env: { ...env, ...request.env } }),
    open: (request) =>
      runner.open({ ...request, command: within(request.command), env: { ...env, ...request.env } }),
    async close() {
      await runner.close();
      await end();
    },
  };
}

/**
 * Makes a tunnel for each host with a port that programs may listen on. Each name gets its own
 * address, so that two may share a port.
 */
function tunnelsTo(entries: readonly string[]): readonly Tunnel[] {
  const places = entries.flatMap((entry) => {
    const { name: host, ports } = allowedHost(entry);
    const [port = 0] = ports;
    const reached = entry.includes(':') && !host.startsWith('*.') && port >= firstOpenPort && port !== 3128;
    return reached && (isIP(host) === 0 || host.startsWith('127.')) ? [{ host, port }] : [];
  });
  const names = [...new Set(places.map(({ host }) => host))].filter(
    (host) => host !== 'localhost' && isIP(host) === 0,
  );
  return places.map(({ host, port }) => {
    const own = names.indexOf(host);
    const shared = isIP(host) === 0 ? '127.0.0.1' : host;
    return { host, port, address: own >= 0 ? `127.0.1.${own + 1}` : shared };
  });
}
