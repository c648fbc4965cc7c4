import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { append } from '../contract/lists.ts';
import { etcParts, type ShownEtc } from './shown-etc.ts';
import { isInside } from './toolchain-folders.ts';

/** A checkout beside the workspace: where it lies, and the places it is shown at. */
export interface ShownRepository {
  readonly folder: string;
  readonly places: readonly string[];
  readonly dotGit: 'none' | 'folder' | 'file';
}

/** What of the machine a sandbox shows, and how. All paths are absolute. */
export interface SandboxLayout {
  /** The workspace, writable unless `readOnlyRoot` is true. */
  readonly root: string;
  readonly readOnlyRoot?: boolean;
  /** The mount points of the machine below the workspace, which are as writable as that. */
  readonly mounts: readonly string[];
  /** How `.git` stands in the workspace. */
  readonly dotGit: 'none' | 'folder' | 'file';
  /** The throwaway git directory; null where there is none to give. */
  readonly gitDirectory: string | null;
  /** Object folders that the throwaway git directory borrows from. */
  readonly objectFolders: readonly string[];
  /** Those of `objectFolders` that borrow in turn. Their own lists name folders of the machine, which git would look for in vain. */
  readonly borrowing: readonly string[];
  /** Files of ours that take the place of `objects/info/alternates`, there and in folders that borrow in turn, and of a `.git` file. */
  readonly alternatesFile: string;
  readonly emptyFile: string;
  readonly gitFile: string;
  /** True where the folder of the run's record is hidden; it is made where it is missing. */
  readonly harness: boolean;
  /** Folders of the workspace that no program may rename or remove, each before those in it. */
  readonly pins: readonly string[];
  /** Files in the workspace that hold credentials, shown empty. */
  readonly masked: readonly string[];
  readonly etc: ShownEtc;
  /** Folders shown read-only beside the system's: toolchains, the spill folder. */
  readonly readOnly: readonly string[];
  /** Other checkouts, shown read-only without what git keeps there: its configuration may hold credentials. */
  readonly repositories: readonly ShownRepository[];
  /** What a set-up made, shown read-only; nothing where left out. */
  readonly setup?: ShownSetup;
}

/** Folders that a set-up made. */
export interface ShownSetup {
  /** Where each lies, and its absolute place in the sandbox, on the way to which there is no link. */
  readonly folders: readonly { readonly folder: string; readonly place: string }[];
  /** Empty folders within them that programs write to; each sandbox has its own. */
  readonly scratch: readonly string[];
  /** Where the workspace lay when they were made, which some of them have written into them; null where it lies there still. */
  readonly builtAt: string | null;
}

/** Where borrowed object folders and, for a `.git` file, the git directory lie inside the sandbox. */
export const objectsInside = (index: number): string => `/run/anode/objects/${index}`;
export const gitInside = '/run/anode/git';

/** Among the certificates of /etc; their modes keep them from others, but not from us when we are root. */
const privateKeys = ['/etc/ssl/private', '/etc/pki/tls/private', '/etc/pki/CA/private'];

const mebibyte = 2 ** 20;

/**
 * Temporary folders and their sizes in bytes. They are memory, of which a file system takes half the machine's by
 * itself, and which nobody is charged with: when it runs out, the kernel may well end us.
 */
const temporary: readonly (readonly [folder: string, size: number])[] = [
  // Whole MiB: the kernel rounds up to pages, which must not pass a quarter either.
  ['/tmp', Math.floor(totalmem() / 4 / mebibyte) * mebibyte],
  ['/var/tmp', 256 * mebibyte],
  ['/run', 64 * mebibyte],
  ['/home', 64 * mebibyte],
  ['/root', 64 * mebibyte],
];

/** Where bubblewrap is given the filter of system calls. */
export const filterDescriptor = 4;

const namespaces = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-net',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--disable-userns',
  '--cap-drop',
  'ALL',
  '--new-session',
  '--die-with-parent',
  // Read from the descriptor by which whoever starts bubblewrap hands it the filter.
  '--seccomp',
  String(filterDescriptor),
];

/**
 * The arguments of bubblewrap that make the root of every sandbox: system folders read-only, nothing else of
 * the machine, own processes, devices and temporary folders, no network, no capabilities. An allow-list,
 * because through a read-only view of everything the sockets under /run would stay reachable. Without copies
 * the parts of /etc are bound one by one. `machine` is where the folders of the machine are looked at.
 */
export function systemArguments(etc: ShownEtc | null, machine = '/'): string[] {
  const args = [...namespaces, '--hostname', 'sandbox', '--ro-bind', '/usr', '/usr'];
  for (const folder of ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']) {
    const there = join(machine, folder);
    const kind = lstatSync(there, { throwIfNoEntry: false });
    if (kind?.isSymbolicLink()) args.push('--symlink', readlinkSync(there), folder);
    else if (kind?.isDirectory()) args.push('--ro-bind', folder, folder);
  }
  if (etc !== null) args.push('--ro-bind', etc.folder, '/etc');
  for (const part of etc?.bound ?? etcParts()) args.push('--ro-bind', part, part);
  for (const folder of privateKeys)
    if (existsSync(join(machine, folder))) args.push('--size', '4096', '--tmpfs', folder);
  // Its settings are the machine's own, and a sandbox of root's is their owner: `kernel.core_pattern` names a program.
  args.push('--proc', '/proc', '--ro-bind', '/proc/sys', '/proc/sys');
  // Without a file system of its own, what is shared would take half of the machine's memory.
  append(args, ['--dev', '/dev', ...boundedFolder('/dev/shm', 256 * mebibyte), '--remount-ro', '/dev']);
  for (const [folder, size] of temporary) append(args, boundedFolder(folder, size));
  args.push('--dir', '/tmp/home', '--symlink', '/run', '/var/run');
  return args;
}

function boundedFolder(folder: string, size: number): string[] {
  return ['--perms', '1777', '--size', String(size), '--tmpfs', folder];
}

/**
 * The arguments of bubblewrap for commands in a workspace: the system's, the toolchains, and the workspace
 * itself, with the throwaway git directory in the place of `.git`. Later mounts lie over earlier ones.
 */
export function workspaceArguments(layout: SandboxLayout): string[] {
  const { root } = layout;
  const args = systemArguments(layout.etc);
  for (const folder of layout.readOnly)
    if (folder !== root && !isInside(folder, root)) args.push('--ro-bind', folder, folder);
  for (const repository of layout.repositories) append(args, repositoryArguments(repository));
  args.push('--bind', root, root);
  for (const folder of layout.pins)
    args.push(layout.readOnlyRoot === true ? '--ro-bind' : '--bind', folder, folder);
  // By themselves, as `--remount-ro` is for one mount alone.
  if (layout.readOnlyRoot === true) for (const one of layout.mounts) args.push('--ro-bind', one, one);
  // A folder inside the workspace that is only shown for reading lies over the workspace.
  for (const folder of layout.readOnly) if (isInside(folder, root)) args.push('--ro-bind', folder, folder);
  for (const { folder, place } of layout.setup?.folders ?? []) args.push('--ro-bind', folder, place);
  for (const folder of layout.setup?.scratch ?? []) append(args, boundedFolder(folder, 256 * mebibyte));
  const builtAt = layout.setup?.builtAt ?? null;
  if (builtAt !== null) args.push('--symlink', root, builtAt);
  for (const [index, folder] of layout.objectFolders.entries()) {
    args.push('--ro-bind', folder, objectsInside(index));
    if (layout.borrowing.includes(folder))
      args.push('--ro-bind', layout.emptyFile, `${objectsInside(index)}/info/alternates`);
  }
  append(args, gitArguments(layout));
  for (const file of layout.masked) args.push('--ro-bind', '/dev/null', file);
  if (layout.harness)
    args.push(
      '--perms',
      '0555',
      '--tmpfs',
      `${root}/.anode-harness`,
      '--remount-ro',
      `${root}/.anode-harness`,
    );
  // Only now: the mounts inside the workspace may have to make the folders they lie on.
  if (layout.readOnlyRoot === true) args.push('--remount-ro', root);
  args.push('--remount-ro', '/', '--chdir', root);
  return args;
}

function repositoryArguments({ folder, places, dotGit }: ShownRepository): string[] {
  return places.flatMap((place) => [
    ...['--ro-bind', folder, place],
    ...(dotGit === 'folder' ? ['--tmpfs', `${place}/.git`, '--remount-ro', `${place}/.git`] : []),
    ...(dotGit === 'file' ? ['--ro-bind', '/dev/null', `${place}/.git`] : []),
  ]);
}

function gitArguments(layout: SandboxLayout): string[] {
  const { gitDirectory } = layout;
  const dotGit = `${layout.root}/.git`;
  if (layout.dotGit === 'none') return [];
  if (gitDirectory === null)
    return layout.dotGit === 'folder'
      ? ['--size', String(64 * mebibyte), '--tmpfs', dotGit]
      : ['--ro-bind', '/dev/null', dotGit];
  const place = layout.dotGit === 'folder' ? dotGit : gitInside;
  const args = [layout.readOnlyRoot === true ? '--ro-bind' : '--bind', gitDirectory, place];
  if (layout.dotGit === 'file') args.push('--ro-bind', layout.gitFile, dotGit);
  if (layout.objectFolders.length > 0)
    args.push('--ro-bind', layout.alternatesFile, `${place}/objects/info/alternates`);
  return args;
}
