import { lstatSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { MountedEtc } from './mounted-etc.ts';
import { type MountedSetup, systemArguments } from './sandbox-layout.ts';
import { isFolderBelow } from './toolchain-folders.ts';

/** The folders that a set-up's sandbox mounts. All paths are absolute. */
interface SetupLayout {
  /** Mount point of the copy: the later path of the checkout itself. */
  readonly root: string;
  /** The copy, writable. */
  readonly tree: string;
  /** A folder on disk for the home, where package managers keep downloads. */
  readonly home: string;
  /** The proxy's socket, the only way out. */
  readonly proxySocket: string;
  readonly etc: MountedEtc;
  /** Toolchains, read-only. */
  readonly readOnly: readonly string[];
}

/** Paths in the sandbox of the proxy's socket and the home. */
export const proxySocketInside = '/run/anode/registries.sock';
const homeInside = '/tmp/home';

/**
 * Returns bubblewrap's arguments for a set-up's commands: the system's, a copy of the checkout in
 * its place, and the one socket. There is no network, no `.git`, no spilled output and no other
 * repository.
 */
export function setupArguments(layout: SetupLayout): string[] {
  const { root } = layout;
  const args = systemArguments(layout.etc);
  for (const folder of layout.readOnly)
    if (folder !== root && !isFolderBelow(folder, root)) args.push('--ro-bind', folder, folder);
  args.push('--bind', layout.home, homeInside, '--ro-bind', layout.proxySocket, proxySocketInside);
  args.push('--bind', layout.tree, root, '--remount-ro', '/', '--chdir', root);
  return args;
}

/**
 * Folders in `node_modules` that bundlers and linters must write to (Vite, "cacheDir"; Babel,
 * ESLint and others by find-cache-dir).
 */
export const scratchFolders = ['.cache', '.vite', '.vite-temp'] as const;

/** Every mount makes later ones slower. */
const mostWithScratch = 8;

/** The output of a set-up. */
export interface SetupOutput {
  /** The checkout's path during the set-up, which some results contain. */
  readonly builtAt: string;
  readonly folders: readonly SetupFolder[];
}

/** A folder made by a set-up. */
export interface SetupFolder {
  /** Path from the root of the checkout, or `~/` and the path from the home of commands. */
  readonly mountPath: string;
  /** Absolute path of the folder. */
  readonly folder: string;
}

/**
 * Selects what the next sandbox mounts of a set-up. An earlier command may have left a file or a
 * link on the path to a mount point. Bubblewrap, which creates missing mount points, would follow
 * it. `others` are other folders of the sandbox.
 */
export function mountedSetup(output: SetupOutput, root: string, others: readonly string[]): MountedSetup {
  const folders = output.folders
    .filter(({ mountPath }) => mountPath.startsWith('~/') || isPlain(root, mountPath))
    .map(({ folder, mountPath }) => ({
      folder,
      target: mountPath.startsWith('~/') ? join(homeInside, mountPath.slice(2)) : resolve(root, mountPath),
    }));
  const scratch = folders
    .slice(0, mostWithScratch)
    .flatMap(({ folder, target }) =>
      scratchFolders
        .filter((name) => basename(target) === 'node_modules' && isEmptyFolder(join(folder, name)))
        .map((name) => join(target, name)),
    );
  const { builtAt } = output;
  const meets = (other: string) =>
    builtAt === other || isFolderBelow(builtAt, other) || isFolderBelow(other, builtAt);
  return { folders, scratch, builtAt: [root, ...others].some(meets) ? null : builtAt };
}

/** Returns true for an existing empty folder. Installed files are never covered. */
function isEmptyFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && readdirSync(folder).length === 0;
}

/** Returns true if a path and everything above it are folders or missing. */
function isPlain(root: string, mountPath: string): boolean {
  let at = root;
  for (const part of mountPath.split('/')) {
    at = join(at, part);
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (found === undefined) return true;
    if (!found.isDirectory()) return false;
  }
  return true;
}
