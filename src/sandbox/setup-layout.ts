import { lstatSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type ShownSetup, systemArguments } from './sandbox-layout.ts';
import type { ShownEtc } from './shown-etc.ts';
import { isInside } from './toolchain-folders.ts';

/** What a sandbox of the set-up shows of the machine. All paths are absolute. */
interface SetupLayout {
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
const homeInside = '/tmp/home';

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

/**
 * Where bundlers and linters write within `node_modules`, and fail where they cannot (Vite, "cacheDir"; Babel, ESLint and
 * others by find-cache-dir).
 */
export const scratchFolders = ['.cache', '.vite', '.vite-temp'] as const;

/** Every mount makes each later one dearer. */
const mostWithScratch = 8;

/** What a set-up made. */
export interface SetupOutput {
  /** Where the checkout lay when it was made, which some results have written into them. */
  readonly builtAt: string;
  readonly folders: readonly SetupFolder[];
}

/** A folder that a set-up made. */
export interface SetupFolder {
  /** Its path from the root of the checkout, or `~/` and its path from the home of commands. */
  readonly place: string;
  /** Where it lies, absolute. */
  readonly folder: string;
}

/**
 * What of a set-up the next sandbox shows. A command before it may have put a file or a link on the way to a place: bubblewrap,
 * which makes the place where it is missing, would follow it. `shown` are other folders of the sandbox.
 */
export function shownSetup(output: SetupOutput, root: string, shown: readonly string[]): ShownSetup {
  const folders = output.folders
    .filter(({ place }) => place.startsWith('~/') || isPlain(root, place))
    .map(({ folder, place }) => ({
      folder,
      place: place.startsWith('~/') ? join(homeInside, place.slice(2)) : resolve(root, place),
    }));
  const scratch = folders
    .slice(0, mostWithScratch)
    .flatMap(({ folder, place }) =>
      scratchFolders
        .filter((name) => basename(place) === 'node_modules' && isEmptyFolder(join(folder, name)))
        .map((name) => join(place, name)),
    );
  const { builtAt } = output;
  const meets = (other: string) => builtAt === other || isInside(builtAt, other) || isInside(other, builtAt);
  return { folders, scratch, builtAt: [root, ...shown].some(meets) ? null : builtAt };
}

/** Whether it is there and has nothing in it: what was installed is never hidden. */
function isEmptyFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && readdirSync(folder).length === 0;
}

/** Whether nothing but folders stands on the way to a place, and there. */
function isPlain(root: string, place: string): boolean {
  let at = root;
  for (const part of place.split('/')) {
    at = join(at, part);
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (found === undefined) return true;
    if (!found.isDirectory()) return false;
  }
  return true;
}
