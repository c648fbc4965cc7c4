import { systemArguments } from './sandbox-layout.ts';
import type { ShownEtc } from './shown-etc.ts';
import { isInside } from './toolchain-folders.ts';

/** What a sandbox of the set-up shows of the machine. All paths are absolute. */
export interface SetupLayout {
  /** Where the copy of the checkout is shown: where the run will have the checkout itself. */
  readonly root: string;
  /** The copy, writable. */
  readonly tree: string;
  /** A folder on disk for the home, where package managers keep what they download. */
  readonly home: string;
  /** The socket of the proxy; nothing else leads out. */
  readonly proxySocket: string;
  readonly etc: ShownEtc;
  /** Toolchains, read-only. */
  readonly readOnly: readonly string[];
}

/** Where programs of the set-up find the socket of the proxy, and their home. */
export const proxySocketInside = '/run/anode/registries.sock';
export const homeInside = '/tmp/home';

/**
 * The arguments of bubblewrap for commands of the set-up: the system's, a copy of the checkout in the place of the
 * checkout, and the one socket. The network is as empty as that of any other sandbox; there is no `.git`, no spilled output
 * and no other repository.
 */
export function setupArguments(layout: SetupLayout): string[] {
  const { root } = layout;
  const args = systemArguments(layout.etc);
  for (const folder of layout.readOnly)
    if (folder !== root && !isInside(folder, root)) args.push('--ro-bind', folder, folder);
  args.push('--bind', layout.home, homeInside, '--ro-bind', layout.proxySocket, proxySocketInside);
  args.push('--bind', layout.tree, root, '--remount-ro', '/', '--chdir', root);
  return args;
}
