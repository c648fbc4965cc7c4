import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { appendFile, chmod, lchown, lstat, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { TreeWatch } from '../permissions/tree/tree-watch.ts';
import { borrowedFolders } from './borrowed-folders.ts';
import type { CommandRunner } from './command-runner.ts';
import { mountsBelow } from './mounts-below.ts';
import { createPool, type ProcessPool } from './process-pool.ts';
import { makeRunCgroup, type RunCgroup } from './run-cgroup.ts';
import { followCommand, followProcess } from './running-command.ts';
import {
  gitInside,
  objectsInside,
  type SandboxLayout,
  type ShownSetup,
  workspaceArguments,
} from './sandbox-layout.ts';
import { type SandboxMember, startMember } from './sandbox-member.ts';
import { type SetupOutput, shownSetup } from './setup-layout.ts';
import { copyEtc } from './shown-etc.ts';
import { hasSharedGroup, systemCallFilter } from './system-call-filter.ts';
import { isReachable, passThrough, toolchainFolders } from './toolchain-folders.ts';
import { findBwrap } from './trusted-path.ts';
import { type ShellScript, scriptFor } from './waiting-shell.ts';

/** The run's workspace as the sandboxed runner needs it. */
export interface SandboxedWorkspace {
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

/** Sandboxes with a read-only and with a writable workspace; the same pool if none may write. */
interface Pools {
  readonly reading: ProcessPool<SandboxMember>;
  readonly writing: ProcessPool<SandboxMember>;
}

/** Waiting sandboxes per pool after its first use: for the next command and for the one after. */
const poolSize = 2;

/**
 * Makes a runner that gives every command its own sandbox from a pool started ahead. The pool is
 * created by the first command or by `warm`.
 */
export function sandboxedRunner(options: {
  readonly workspace: SandboxedWorkspace;
  readonly spillFolder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly identity: SandboxIdentity;
  /** Folders never mounted, nor any folder above them. A program's folder beside them may be. */
  readonly hidden?: readonly string[];
  /** Other checkouts that commands may read; `shown` is a path from the workspace. */
  readonly repositories?: readonly { readonly root: string; readonly shown: string }[];
  /** Returns the output of a set-up, or null. Called for each sandbox. */
  readonly setup?: () => SetupOutput | null;
  /** True to mount the workspace read-only in all sandboxes. */
  readonly readOnlyWorkspace?: boolean;
  /** Further folders that commands may read, and lines for `/etc/hosts`. */
  readonly shown?: readonly string[];
  readonly hosts?: readonly string[];
}): CommandRunner & { warm(): Promise<void> } {
  const running = new Map<Promise<unknown>, () => void>();
  let files: string | null = null;
  let cgroup: RunCgroup | null = null;
  let opened: Promise<Pools> | null = null;
  const open = () => {
    opened ??= prepare(options).then((prepared) => {
      files = prepared.files;
      cgroup = makeRunCgroup();
      const bwrap = findBwrap(options.environment.PATH, options.workspace.root);
      const settings = { ...options, bwrap, filterFile: prepared.filterFile, cgroup };
      const poolFor = (readOnlyRoot: boolean) =>
        createPool(poolSize, () =>
          startMember(workspaceArguments({ ...prepared.layout(), readOnlyRoot }), settings),
        );
      const reading = poolFor(true);
      return { reading, writing: options.readOnlyWorkspace === true ? reading : poolFor(false) };
    });
    return opened;
  };
  let closed = false;
  const start = async (script: ShellScript, reading: boolean) => {
    const pools = await open();
    if (closed) throw new Error('a command was to be started when its run had ended');
    const pool = reading ? pools.reading : pools.writing;
    const member = pool.take();
    member.start(script);
    // Runs beside the command, so that the next one finds its sandbox ready.
    setImmediate(() => pool.fill());
    return member;
  };
  return {
    sandboxed: true,
    async warm() {
      (await open()).writing.fill();
    },
    async run(request) {
      request.signal.throwIfAborted();
      const member = await start(scriptFor(request, { alone: false }), request.readOnlyWorkspace === true);
      const done = followCommand(member.child, request, member);
      running.set(done, member.kill);
      try {
        const result = await done;
        await requireSandbox(member, result, options.workspace.root);
        return result;
      } finally {
        running.delete(done);
      }
    },
    async open(request) {
      const member = await start(scriptFor(request, { alone: true }), false);
      const process = followProcess(member.child, request, member);
      const ended = process.ended.then(async (result) => {
        await requireSandbox(member, result, options.workspace.root);
        return result;
      });
      running.set(ended, member.kill);
      const forget = () => void running.delete(ended);
      ended.then(forget, forget);
      return { ...process, ended };
    },
    async close() {
      closed = true;
      for (const kill of running.values()) kill();
      await Promise.allSettled(running.keys());
      const pools = await opened;
      await pools?.reading.close();
      await pools?.writing.close();
      await cgroup?.close();
      if (files !== null) await rm(files, { recursive: true, force: true });
    },
  };
}

/** Throws if the sandbox itself could not be set up. */
async function requireSandbox(
  member: SandboxMember,
  { exitCode }: { readonly exitCode: number | null },
  root: string,
): Promise<void> {
  if (await member.cameUp()) return;
  throw new Error(
    `The sandbox could not be set up for \`${root}\`; bubblewrap ended with ${exitCode}. What it said stands in the output of the command.`,
  );
}

interface Prepared {
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
async function prepare(options: {
  readonly workspace: SandboxedWorkspace;
  readonly spillFolder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly identity: SandboxIdentity;
  readonly hidden?: readonly string[];
  readonly repositories?: readonly { readonly root: string; readonly shown: string }[];
  readonly setup?: () => SetupOutput | null;
  readonly shown?: readonly string[];
  readonly hosts?: readonly string[];
}): Promise<Prepared> {
  const { workspace, spillFolder, identity } = options;
  const gitDirectory = await workspace.agentGitDirectory();
  const objectFolders = gitDirectory === null ? [] : await borrowedFolders(gitDirectory);
  const borrowing = objectFolders.filter((folder) => existsSync(join(folder, 'info/alternates')));
  const files = await mkdtemp(join(tmpdir(), 'anode-sandbox-'));
  const etc = await copyEtc(join(files, 'etc'));
  const { hosts = [], shown = [] } = options;
  if (hosts.length > 0)
    await appendFile(join(files, 'etc', 'hosts'), `\n${hosts.join('\n')}\n`, { mode: 0o644 });
  const alternatesFile = join(files, 'alternates');
  const emptyFile = join(files, 'empty');
  const gitFile = join(files, 'gitfile');
  await writeFile(emptyFile, '');
  await writeFile(alternatesFile, objectFolders.map((_, index) => `${objectsInside(index)}\n`).join(''));
  await writeFile(gitFile, `gitdir: ${gitInside}\n`);
  const filterFile = join(files, 'filter');
  // The probe ensures that there is a filter.
  await writeFile(
    filterFile,
    systemCallFilter(process.arch, { sharedGroup: hasSharedGroup(workspace.root) }) ?? '',
  );
  if (identity.uid !== undefined) {
    await chmod(files, 0o711);
    await openTo(identity, spillFolder, gitDirectory);
  }
  // A program on PATH may lie beside our own data: `/opt/anode/bin` beside `/opt/anode/data`.
  const hidden = [homedir(), dirname(spillFolder), ...(options.hidden ?? [])];
  const toolchains = toolchainFolders(options.environment.PATH ?? '', [process.execPath], hidden);
  // Loaded late: the first request needs none of it.
  const [{ createTreeWatch }, { foldersAbove, masksFor }] = await Promise.all([
    import('../permissions/tree/tree-watch.ts'),
    import('./masked-files.ts'),
  ]);
  const watch = (await workspace.watch?.()) ?? createTreeWatch(workspace.root);
  await watch.look();
  // Determined once: a command that later creates `.git` or a link must not lead a mount out of the
  // workspace.
  const dotGit = kindOfGit(workspace.root);
  const readOnly = [...toolchains.filter((folder) => isReachable(folder, identity)), spillFolder, ...shown];
  const repositories = (options.repositories ?? [])
    .filter((one) => isReachable(one.root, identity))
    .map((one) => ({
      folder: one.root,
      places: [...new Set([one.root, resolve(workspace.root, one.shown)])],
      dotGit: kindOfGit(one.root),
    }));
  const others = [...readOnly, ...repositories.flatMap(({ folder, places }) => [folder, ...places])];
  const setup = () => {
    const made = options.setup?.() ?? null;
    return made === null ? null : shownSetup(made, workspace.root, others);
  };
  const ways = (made: ShownSetup | null) =>
    foldersAbove(workspace.root, made?.folders.map(({ place }) => place) ?? []);
  for (const folder of ways(setup())) mkdirSync(folder, { recursive: true });
  const inReach = (path: string) => isReachable(dirname(path), identity);
  return {
    files,
    filterFile,
    layout: () => {
      const made = setup();
      const masks = masksFor(workspace.root, watch.lookNow(fresh));
      const pins = [...new Set([...masks.pins, ...ways(made).filter(isFolder)])];
      return {
        ...(made === null ? {} : { setup: made }),
        root: workspace.root,
        // Out of the user's reach there is nothing to read, write or swap.
        pins: pins.filter(inReach).sort((one, other) => one.length - other.length),
        mounts: mountsBelow(workspace.root).filter(inReach),
        dotGit,
        gitDirectory,
        objectFolders,
        borrowing,
        etc,
        alternatesFile,
        emptyFile,
        gitFile,
        masked: masks.files.filter(inReach),
        // If missing, the mount creates an empty one; otherwise a command could forge it.
        harness:
          lstatSync(join(workspace.root, '.anode-harness'), { throwIfNoEntry: false })?.isDirectory() !==
          false,
        readOnly,
        repositories,
      };
    },
  };
}

/**
 * Age in milliseconds up to which a look is reused. No command can create a file of credentials.
 */
const fresh = 1_000;

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function kindOfGit(root: string): SandboxLayout['dotGit'] {
  const found = lstatSync(join(root, '.git'), { throwIfNoEntry: false });
  if (found === undefined) return 'none';
  return found.isDirectory() ? 'folder' : 'file';
}

/**
 * Gives another user access to what its sandbox mounts: it owns the git directory and may pass
 * through the folders above, but not list them.
 */
async function openTo(
  identity: SandboxIdentity,
  spillFolder: string,
  gitDirectory: string | null,
): Promise<void> {
  if (gitDirectory !== null && identity.uid !== undefined && identity.gid !== undefined)
    await giveTo(gitDirectory, identity.uid, identity.gid);
  await chmod(spillFolder, 0o755);
  for (const start of [spillFolder, gitDirectory]) {
    if (start !== null) await passThrough(start);
  }
}

async function giveTo(path: string, uid: number, gid: number): Promise<void> {
  const found = await lstat(path);
  if (found.isSymbolicLink()) return;
  if (found.isDirectory()) for (const name of await readdir(path)) await giveTo(join(path, name), uid, gid);
  await lchown(path, uid, gid);
}
