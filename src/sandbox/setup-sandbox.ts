import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRegistryProxy, type RegistryProxy } from '../network/registry-proxy.ts';
import type { NetworkPolicy } from '../network/resolve-host.ts';
import { proxyUrl, tunnelProgram } from '../network/tunnel-program.ts';
import type { CommandRequest, CommandResult } from './command-runner.ts';
import { copyEtc } from './mounted-etc.ts';
import { quotedWord } from './quoted-word.ts';
import { type NodeCommand, nodeCommand } from './reachable-node.ts';
import { makeRunCgroup } from './run-cgroup.ts';
import { followCommand } from './running-command.ts';
import { startMember } from './sandbox-member.ts';
import { proxySocketInside, setupArguments } from './setup-layout.ts';
import { systemCallFilter } from './system-call-filter.ts';
import { allowTraversal, isReachable, toolchainFolders } from './toolchain-folders.ts';
import { findBwrap } from './trusted-path.ts';
import type { ShellScript } from './waiting-shell.ts';

/** Sandboxes for the commands of one set-up. */
interface SetupSandbox {
  readonly refused: RegistryProxy['refused'];
  /** Returns true once the download limit is exceeded. */
  exhausted(): boolean;
  /**
   * Runs one command in its own sandbox; results stay in the tree and the home. Like
   * `CommandRunner.run`.
   */
  run(request: Pick<CommandRequest, 'command' | 'timeoutMs' | 'signal' | 'onOutput'>): Promise<CommandResult>;
  close(): Promise<void>;
}

/** All spellings of a proxy setting for package managers. */
const proxyVariables: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'npm_config_proxy'].map((name) => [
      name,
      proxyUrl,
    ]),
  ),
  npm_config_https_proxy: proxyUrl,
  YARN_HTTP_PROXY: proxyUrl,
  YARN_HTTPS_PROXY: proxyUrl,
  CARGO_HTTP_PROXY: proxyUrl,
  NO_PROXY: '',
  no_proxy: '',
};

/**
 * Prepares the shared parts of a set-up's sandboxes. The proxy runs in this process; in the sandbox
 * a small program forwards a port to its socket. `environment` is clean and holds no credential.
 * `tree` and `home` belong to `identity`.
 */
export async function openSetupSandbox(options: {
  readonly root: string;
  readonly tree: string;
  readonly home: string;
  readonly policy: NetworkPolicy;
  readonly environment: Readonly<Record<string, string>>;
  /** The user to run as. Default: ours. */
  readonly identity: { readonly uid?: number; readonly gid?: number };
  /** Folders never mounted, nor any folder above them. */
  readonly hidden: readonly string[];
}): Promise<SetupSandbox> {
  const { root, tree, home, identity } = options;
  const files = await mkdtemp(join(tmpdir(), 'anode-setup-'));
  const socketPath = join(files, 'registries.sock');
  const filterFile = join(files, 'filter');
  const etc = await copyEtc(join(files, 'etc'));
  await writeFile(filterFile, systemCallFilter(process.arch, { anyMode: true }) ?? '');
  const proxy = await openRegistryProxy({ socketPath, policy: options.policy });
  if (identity.uid !== undefined) {
    await chmod(files, 0o711);
    await chmod(socketPath, 0o666);
    await allowTraversal(tree);
  }
  const toolchains = toolchainFolders(
    options.environment.PATH ?? '',
    [process.execPath],
    [homedir(), ...options.hidden],
  );
  const node = nodeCommand(options.environment.PATH ?? '', identity);
  const readOnly = toolchains.filter((folder) => isReachable(folder, identity));
  const args = setupArguments({ root, tree, home, proxySocket: socketPath, etc, readOnly });
  const cgroup = makeRunCgroup();
  const bwrap = findBwrap(options.environment.PATH, tree);
  const environment = { ...options.environment, ...proxyVariables };
  return {
    refused: proxy.refused,
    exhausted: proxy.exhausted,
    async run(request) {
      request.signal.throwIfAborted();
      const member = startMember(args, { bwrap, environment, identity, filterFile, cgroup });
      member.start(scriptFor(request.command, root, node));
      const result = await followCommand(member.child, { ...request, cwd: root }, member);
      if (!(await member.cameUp()) && !result.timedOut)
        throw new Error(`The sandbox of the set-up could not be set up for \`${root}\`.`);
      return result;
    },
    async close() {
      await proxy.close();
      await cgroup?.close();
      await rm(files, { recursive: true, force: true });
    },
  };
}

function scriptFor(command: string, root: string, node: NodeCommand): ShellScript {
  const before = `cd -- ${quotedWord(root)} || exit 126; `;
  return { before, command: node(['-e', tunnelProgram, proxySocketInside, '[]', command]) };
}
