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

/** What a sandbox has to show for its programs to reach anything. */
export interface SandboxNetwork {
  /** A folder to show for reading. */
  readonly shown: string;
  /** Lines for `/etc/hosts`. */
  readonly hosts: readonly string[];
}

/** Programs may wait so long for an answer, in milliseconds: a query may take minutes. */
const idleMs = 1_800_000;

/** Below this only root may listen, which no program in a sandbox is. */
const firstOpenPort = 1_024;

/**
 * A runner whose programs reach the hosts of `entries` and nothing else. One with a port from 1024 on is reached by any protocol over
 * TCP, as if the sandbox had a network; other ones over the HTTP proxy that the usual variables name. The hosts may be private: whoever
 * names a program's hosts means them. Only a cloud's metadata service stays closed.
 */
export async function networkedRunner(
  entries: readonly string[],
  node: NodeCommand,
  make: (network: SandboxNetwork) => Promise<CommandRunner>,
): Promise<CommandRunner> {
  const allowed = entries.map(allowedHost);
  // Short, as the path of a socket has to be.
  const folder = await mkdtemp(path.join(tmpdir(), 'anode-net-'));
  await chmod(folder, 0o711);
  const socketPath = path.join(folder, 'proxy.sock');
  const proxy = await openRegistryProxy({
    socketPath,
    policy: { allowed, privateAllowed: allowed },
    limits: { idleMs },
    // As in the sandbox: what listens on this machine may do so by one of the two alone.
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

/** A place in the sandbox for each host with a port that programs may listen on; names have an address each, so that two may share a port. */
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
    return { host, port, address: own >= 0 ? `127.0.1.${own + 1}` : isIP(host) === 0 ? '127.0.0.1' : host };
  });
}
