import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { append } from '../contract/lists.ts';
import { etcParts, type MountedEtc } from './mounted-etc.ts';
import { isFolderBelow } from './toolchain-folders.ts';

/** A checkout beside the workspace, and the paths it is mounted at. */
export interface MountedRepository {
  readonly folder: string;
  readonly targets: readonly string[];
  readonly dotGit: 'none' | 'folder' | 'file';
}

/** The folders of the machine that a sandbox mounts. All paths are absolute. */
export interface SandboxLayout {
  /** The workspace, writable unless `readOnlyRoot` is true. */
  readonly root: string;
  readonly readOnlyRoot?: boolean;
  /** Mount points below the workspace, equally writable. */
  readonly mounts: readonly string[];
  /** The kind of `.git` in the workspace. */
  readonly dotGit: 'none' | 'folder' | 'file';
  /** The throwaway git directory, or null. */
  readonly gitDirectory: string | null;
  /** Object folders that the throwaway git directory borrows from. */
  readonly objectFolders: readonly string[];
  /**
   * The `objectFolders` that borrow in turn. Their own lists name folders that the sandbox lacks.
   */
  readonly borrowing: readonly string[];
  /**
   * Files mounted over `objects/info/alternates`, over those of folders that borrow in turn, and
   * over a `.git` file.
   */
  readonly alternatesFile: string;
  readonly emptyFile: string;
  readonly gitFile: string;
  /** True if the folder of the run's record is hidden. It is created if missing. */
  readonly harness: boolean;
  /** Folders of the workspace that cannot be renamed or removed, outer ones first. */
  readonly pins: readonly string[];
  /** Files in the workspace with credentials, mounted empty. */
  readonly masked: readonly string[];
  readonly etc: MountedEtc;
  /** Folders mounted read-only beside the system's: toolchains, the spill folder. */
  readonly readOnly: readonly string[];
  /**
   * Other checkouts, mounted read-only without `.git`, whose configuration may hold credentials.
   */
  readonly repositories: readonly MountedRepository[];
  /** The output of a set-up, mounted read-only. Default: none. */
  readonly setup?: MountedSetup | undefined;
}

/** Folders made by a set-up. */
export interface MountedSetup {
  /** Each folder with its absolute path in the sandbox, which contains no link. */
  readonly folders: readonly { readonly folder: string; readonly target: string }[];
  /** Empty folders within them that programs write to; each sandbox has its own. */
  readonly scratch: readonly string[];
  /** The workspace's path when they were made, which some results contain. Null if unchanged. */
  readonly builtAt: string | null;
}

/** Paths in the sandbox of borrowed object folders and, for a `.git` file, of the git directory. */
export const objectsInside = (index: number): string => `/run/anode/objects/${index}`;
export const gitInside = '/run/anode/git';

/** Among the certificates of /etc. Their modes keep others out, but not root. */
const privateKeys = ['/etc/ssl/private', '/etc/pki/tls/private', '/etc/pki/CA/private'];

const mebibyte = 2 ** 20;

/**
 * Temporary folders and their sizes in bytes. They use memory that no process is charged for, by
 * default half the machine's. If it ran out, the kernel might kill this program.
 */
const temporary: readonly (readonly [folder: string, size: number])[] = [
  // Whole MiB: the kernel rounds up to pages, which must not exceed a quarter either.
  ['/tmp', Math.floor(totalmem() / 4 / mebibyte) * mebibyte],
  ['/var/tmp', 256 * mebibyte],
  ['/run', 64 * mebibyte],
  ['/home', 64 * mebibyte],
  ['/root', 64 * mebibyte],
];

/** The descriptor from which bubblewrap reads the system call filter. */
export const filterDescriptor = 4;

const namespaces = [
  ...'--unshare-user --unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try'.split(' '),
  ...'--disable-userns --cap-drop ALL --new-session --die-with-parent'.split(' '),
  // Inherited from the process that starts bubblewrap.
  ...['--seccomp', String(filterDescriptor)],
];

/**
 * Returns bubblewrap's arguments for the root of every sandbox: read-only system folders, own
 * processes, devices and temporary folders, no network, no capabilities.
 *
 * An allow-list: a read-only view of everything would leave sockets under /run reachable. Without
 * `etc`, the parts of /etc are bound one by one. `machine` is the root under which folders are
 * looked up.
 */
export function systemArguments(etc: MountedEtc | null, machine = '/'): string[] {
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
  // These are the machine's own settings, owned by root: `kernel.core_pattern` names a program.
  args.push('--proc', '/proc', '--ro-bind', '/proc/sys', '/proc/sys');
  // Without its own file system, shared memory would take half of the machine's.
  append(args, ['--dev', '/dev', ...boundedFolder('/dev/shm', 256 * mebibyte), '--remount-ro', '/dev']);
  for (const [folder, size] of temporary) append(args, boundedFolder(folder, size));
  args.push('--dir', '/tmp/home', '--symlink', '/run', '/var/run');
  return args;
}

function boundedFolder(folder: string, size: number): string[] {
  return ['--perms', '1777', '--size', String(size), '--tmpfs', folder];
}

/**
 * Returns bubblewrap's arguments for commands in a workspace: the system's, the toolchains, and the
 * workspace with the throwaway git directory as `.git`. Later mounts cover earlier ones.
 */
export function workspaceArguments(layout: SandboxLayout): string[] {
  const { root, readOnlyRoot = false } = layout;
  const args = systemArguments(layout.etc);
  const [inside, outside] = [true, false].map((within) =>
    layout.readOnly.filter((folder) => folder !== root && isFolderBelow(folder, root) === within),
  );
  append(args, readOnlyMounts(outside));
  for (const repository of layout.repositories) append(args, repositoryArguments(repository));
  args.push('--bind', root, root);
  for (const folder of layout.pins) args.push(readOnlyRoot ? '--ro-bind' : '--bind', folder, folder);
  // Each by itself: `--remount-ro` affects one mount only.
  if (readOnlyRoot) append(args, readOnlyMounts(layout.mounts));
  // Read-only folders inside the workspace cover it.
  append(args, readOnlyMounts(inside));
  if (layout.setup !== undefined) append(args, setupMounts(layout.setup, root));
  append(args, objectArguments(layout));
  append(args, gitArguments(layout));
  for (const file of layout.masked) args.push('--ro-bind', '/dev/null', file);
  const record = `${root}/.anode-harness`;
  if (layout.harness) args.push('--perms', '0555', '--tmpfs', record, '--remount-ro', record);
  // Last: mounts inside the workspace may create their mount points.
  if (readOnlyRoot) args.push('--remount-ro', root);
  args.push('--remount-ro', '/', '--chdir', root);
  return args;
}

function readOnlyMounts(folders: readonly string[] = []): string[] {
  return folders.flatMap((folder) => ['--ro-bind', folder, folder]);
}

function setupMounts({ folders, scratch, builtAt }: MountedSetup, root: string): string[] {
  return [
    ...folders.flatMap(({ folder, target }) => ['--ro-bind', folder, target]),
    ...scratch.flatMap((folder) => boundedFolder(folder, 256 * mebibyte)),
    ...(builtAt === null ? [] : ['--symlink', root, builtAt]),
  ];
}

function objectArguments({ objectFolders, borrowing, emptyFile }: SandboxLayout): string[] {
  return objectFolders.flatMap((folder, index) => {
    const target = objectsInside(index);
    const alternates = ['--ro-bind', emptyFile, `${target}/info/alternates`];
    return ['--ro-bind', folder, target, ...(borrowing.includes(folder) ? alternates : [])];
  });
}

function repositoryArguments({ folder, targets, dotGit }: MountedRepository): string[] {
  return targets.flatMap((target) => [
    ...['--ro-bind', folder, target],
    ...(dotGit === 'folder' ? ['--tmpfs', `${target}/.git`, '--remount-ro', `${target}/.git`] : []),
    ...(dotGit === 'file' ? ['--ro-bind', '/dev/null', `${target}/.git`] : []),
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
  const target = layout.dotGit === 'folder' ? dotGit : gitInside;
  const args = [layout.readOnlyRoot === true ? '--ro-bind' : '--bind', gitDirectory, target];
  if (layout.dotGit === 'file') args.push('--ro-bind', layout.gitFile, dotGit);
  if (layout.objectFolders.length > 0)
    args.push('--ro-bind', layout.alternatesFile, `${target}/objects/info/alternates`);
  return args;
}
