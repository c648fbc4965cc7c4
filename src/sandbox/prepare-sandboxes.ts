import { existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import {
  appendFile,
  chmod,
  lchown,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  writeFile,
} from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { TreeWatch } from '../permissions/tree/tree-watch.ts';
import { copyEtc } from './mounted-etc.ts';
import {
  gitInside,
  type MountedRepository,
  type MountedSetup,
  objectsInside,
  type SandboxLayout,
} from './sandbox-layout.ts';
import { mountedSetup, type SetupOutput } from './setup-layout.ts';
import { hasSharedGroup, systemCallFilter } from './system-call-filter.ts';
import { allowTraversal, isFolderBelow, isReachable, toolchainFolders } from './toolchain-folders.ts';

/** The run's workspace as the sandboxed runner needs it. */
interface SandboxedWorkspace {
  readonly root: string;
  agentGitDirectory(): Promise<string | null>;
  /** Returns the watch of its names. Default: one of the runner's own. */
  watch?(): Promise<TreeWatch>;
}

/** The user that commands run as. Default: ours. */
export interface SandboxIdentity {
  readonly uid?: number;
  readonly gid?: number;
}

/** The settings of a run's sandboxes. */
export interface SandboxOptions {
  readonly workspace: SandboxedWorkspace;
  readonly spillFolder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly identity: SandboxIdentity;
  /** Folders never mounted, nor any folder above them. A program's folder beside them may be. */
  readonly hidden?: readonly string[];
  /** Other checkouts that commands may read; `displayPath` is a path from the workspace. */
  readonly repositories?: readonly { readonly root: string; readonly displayPath: string }[];
  /** Returns the output of a set-up, or null. Called for each sandbox. */
  readonly setup?: () => SetupOutput | null;
  /** True to mount the workspace read-only in all sandboxes. */
  readonly readOnlyWorkspace?: boolean;
  /** Further folders that commands may read, and lines for `/etc/hosts`. */
  readonly readOnlyFolders?: readonly string[];
  readonly hosts?: readonly string[];
}

interface PreparedSandboxes {
  /** Our folder of files that the sandboxes mount. */
  readonly files: string;
  readonly filterFile: string;
  /** Computed for each sandbox, since the workspace may change between commands. */
  readonly layout: () => SandboxLayout;
}

/**
 * Collects, once, what every sandbox mounts. Runs before the first command, while nothing is
 * hostile yet.
 */
export async function prepareSandboxes(options: SandboxOptions): Promise<PreparedSandboxes> {
  const { workspace, spillFolder, identity } = options;
  const { root } = workspace;
  const gitDirectory = await workspace.agentGitDirectory();
  const objectFolders = gitDirectory === null ? [] : await borrowedFolders(gitDirectory);
  const borrowing = objectFolders.filter((folder) => existsSync(join(folder, 'info/alternates')));
  const files = await mkdtemp(join(tmpdir(), 'anode-sandbox-'));
  const etc = await copyEtc(join(files, 'etc'));
  const written = await writeFiles(files, objectFolders, options);
  if (identity.uid !== undefined) {
    await chmod(files, 0o711);
    await grantAccess(identity, spillFolder, gitDirectory);
  }
  // Loaded late: the first request needs none of it.
  const [{ createTreeWatch }, { foldersAbove, masksFor }] = await Promise.all([
    import('../permissions/tree/tree-watch.ts'),
    import('./masked-files.ts'),
  ]);
  const watch = (await workspace.watch?.()) ?? createTreeWatch(root);
  await watch.scan();
  const fixed = {
    ...{ root, gitDirectory, objectFolders, borrowing, etc, ...written },
    // Determined once: a command that later creates `.git` or a link must not lead a mount out of
    // the workspace.
    dotGit: kindOfGit(root),
    readOnly: readOnlyFolders(options),
    repositories: repositoriesOf(options),
  };
  const setup = setupOf(options, fixed);
  const above = (made: MountedSetup | undefined) =>
    foldersAbove(root, made?.folders.map(({ target }) => target) ?? []);
  for (const folder of above(setup())) mkdirSync(folder, { recursive: true });
  // Out of the user's reach there is nothing to read, write or swap.
  const inReach = (path: string) => isReachable(dirname(path), identity);
  return {
    files,
    filterFile: written.filterFile,
    layout: () => {
      const made = setup();
      const masks = masksFor(root, watch.scanNow(fresh));
      const pins = [...new Set([...masks.pins, ...above(made).filter(isFolder)])];
      return {
        ...fixed,
        setup: made,
        pins: pins.filter(inReach).sort((one, other) => one.length - other.length),
        mounts: mountsBelow(root).filter(inReach),
        masked: masks.files.filter(inReach),
        // If missing, the mount creates an empty one; otherwise a command could forge it.
        harness: kindOf(join(root, '.anode-harness')) !== 'other',
      };
    },
  };
}

/** Writes the files that the sandboxes mount. Returns their paths. */
async function writeFiles(
  files: string,
  objectFolders: readonly string[],
  { workspace, hosts = [] }: SandboxOptions,
): Promise<Record<'alternatesFile' | 'emptyFile' | 'gitFile' | 'filterFile', string>> {
  if (hosts.length > 0)
    await appendFile(join(files, 'etc', 'hosts'), `\n${hosts.join('\n')}\n`, { mode: 0o644 });
  const alternatesFile = join(files, 'alternates');
  const emptyFile = join(files, 'empty');
  const gitFile = join(files, 'gitfile');
  const filterFile = join(files, 'filter');
  await writeFile(emptyFile, '');
  await writeFile(alternatesFile, objectFolders.map((_, index) => `${objectsInside(index)}\n`).join(''));
  await writeFile(gitFile, `gitdir: ${gitInside}\n`);
  const filter = systemCallFilter(process.arch, { sharedGroup: hasSharedGroup(workspace.root) });
  // The probe ensures that there is a filter.
  await writeFile(filterFile, filter ?? '');
  return { alternatesFile, emptyFile, gitFile, filterFile };
}

function readOnlyFolders(options: SandboxOptions): string[] {
  const { spillFolder, identity, readOnlyFolders: others = [] } = options;
  // A program on PATH may lie beside our own data: `/opt/anode/bin` beside `/opt/anode/data`.
  const hidden = [homedir(), dirname(spillFolder), ...(options.hidden ?? [])];
  const toolchains = toolchainFolders(options.environment.PATH ?? '', [process.execPath], hidden);
  return [...toolchains.filter((folder) => isReachable(folder, identity)), spillFolder, ...others];
}

function repositoriesOf({ repositories = [], workspace, identity }: SandboxOptions): MountedRepository[] {
  return repositories
    .filter((one) => isReachable(one.root, identity))
    .map((one) => ({
      folder: one.root,
      targets: [...new Set([one.root, resolve(workspace.root, one.displayPath)])],
      dotGit: kindOfGit(one.root),
    }));
}

function setupOf(
  { setup, workspace }: SandboxOptions,
  { readOnly, repositories }: Pick<SandboxLayout, 'readOnly' | 'repositories'>,
): () => MountedSetup | undefined {
  const others = [
    ...readOnly,
    ...repositories.flatMap(({ folder, targets: mountPoints }) => [folder, ...mountPoints]),
  ];
  return () => {
    const made = setup?.() ?? null;
    return made === null ? undefined : mountedSetup(made, workspace.root, others);
  };
}

/**
 * Age in milliseconds up to which a look is reused. No command can create a file of credentials.
 */
const fresh = 1_000;

function isFolder(path: string): boolean {
  return kindOf(path) === 'folder';
}

function kindOfGit(root: string): SandboxLayout['dotGit'] {
  const kind = kindOf(join(root, '.git'));
  return kind === 'other' ? 'file' : kind;
}

function kindOf(path: string): 'none' | 'folder' | 'other' {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 'none';
  return found.isDirectory() ? 'folder' : 'other';
}

/**
 * Gives another user access to what its sandbox mounts: it owns the git directory and may pass
 * through the folders above, but not list them.
 */
async function grantAccess(
  identity: SandboxIdentity,
  spillFolder: string,
  gitDirectory: string | null,
): Promise<void> {
  if (gitDirectory !== null && identity.uid !== undefined && identity.gid !== undefined)
    await chownTo(gitDirectory, identity.uid, identity.gid);
  await chmod(spillFolder, 0o755);
  for (const start of [spillFolder, gitDirectory]) {
    if (start !== null) await allowTraversal(start);
  }
}

async function chownTo(path: string, uid: number, gid: number): Promise<void> {
  const found = await lstat(path);
  if (found.isSymbolicLink()) return;
  if (found.isDirectory()) for (const name of await readdir(path)) await chownTo(join(path, name), uid, gid);
  await lchown(path, uid, gid);
}

/**
 * Returns the real paths of the object folders that a git directory borrows from, directly or in
 * turn. The repository may have written the list, which could expose any folder of the machine.
 * Listed folders therefore count only if they are named `objects` and lie beside a HEAD.
 */
async function borrowedFolders(gitDirectory: string): Promise<string[]> {
  const found = new Set<string>();
  const pending = [join(gitDirectory, 'objects')];
  for (let objects = pending.pop(); objects !== undefined; objects = pending.pop()) {
    const text = await readFile(join(objects, 'info/alternates'), 'utf8').catch(() => '');
    for (const line of text.split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      const folder = await realpath(resolve(objects, line)).catch(() => null);
      if (folder === null || found.has(folder)) continue;
      if (basename(folder) !== 'objects' || !existsSync(join(dirname(folder), 'HEAD'))) continue;
      found.add(folder);
      pending.push(folder);
    }
  }
  return [...found];
}

/**
 * Returns the mount points below a folder, absolute, outer ones first. Unreadable ones are omitted.
 * A bind mount of the folder includes them, and making it read-only leaves them writable
 * (mount_namespaces(7), bwrap(1)). Default of `table`: the kernel's list (proc_pid_mountinfo(5)).
 */
export function mountsBelow(root: string, table = readFileSync('/proc/self/mountinfo', 'utf8')): string[] {
  const mountPoints = table.split('\n').flatMap((line) => line.split(' ')[4] ?? []);
  const named = new Set(mountPoints.map(withoutEscapes).filter((target) => isFolderBelow(target, root)));
  return [...named].filter(isThere).sort();
}

/** Blanks, tabs, line ends and backslashes are octal escapes there. */
function withoutEscapes(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    // Removed, or a mount of another user (FUSE), which commands cannot reach either.
    return false;
  }
}
