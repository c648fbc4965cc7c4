import { chown, mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { allowedHost } from '../../network/allowed-host.ts';
import type { SetupFolder, SetupOutput } from '../../sandbox/setup-layout.ts';
import { openSetupSandbox } from '../../sandbox/setup-sandbox.ts';
import { isFree } from './mount-points.ts';
import { runCommands } from './run-commands.ts';
import { clearSetIdBits, copyTree, diskUsage, findFolders, makeScratch } from './setup-folders.ts';
import { hashLockfiles, setupKey } from './setup-key.ts';
import type { SetupSettings } from './setup-settings.ts';
import { openSetupStore, type SetupStore } from './setup-store.ts';

/** Result of a set-up. */
export interface SetupResult {
  readonly state: 'ready' | 'cached' | 'failed';
  /** Folders for the run; null after a failure. */
  readonly output: SetupOutput | null;
  /** Failure in one line; null on success. */
  readonly problem: string | null;
  /** Further notes, one line each: refused hosts, omitted folders. */
  readonly notes: readonly string[];
  /** Releases the result at the end of the run. */
  release(): Promise<void>;
}

export interface SetupRequest {
  readonly settings: SetupSettings;
  /** Checkout, only read. */
  readonly root: string;
  /** Folder of stored results, outside every checkout. */
  readonly storeFolder: string;
  readonly repository: string;
  /**
   * Null for a tree whose author may push to the repository; else the owner of the tree, such as a
   * pull request's number.
   */
  readonly untrusted: string | null;
  /** Hosts that may have a private address. */
  readonly privateRegistries: readonly string[];
  /** Clean environment of commands. */
  readonly environment: Readonly<Record<string, string>>;
  readonly hidden: readonly string[];
  /** User of the commands. Default: our own. */
  readonly identity: { readonly uid?: number; readonly gid?: number };
  /** Disk limits. Default: enough for any project. */
  readonly disk?: DiskLimits;
  readonly signal: AbortSignal;
}

const gibibyte = 2 ** 30;
/** Limits in bytes: all stored results of this machine, and one of them. */
const limits = { store: 12 * gibibyte, result: 4 * gibibyte, folders: 60 };

/**
 * Runs the set-up on a copy of the checkout, or finds a stored result. A result from an untrusted
 * tree is reused only for that tree's author. One from a trusted tree serves all, since it contains
 * no foreign input. A failed set-up is a result; only defects throw.
 */
export async function runSetup(request: SetupRequest): Promise<SetupResult> {
  const store = openSetupStore(request.storeFolder, limits.store);
  try {
    return await findOrMake(request, store);
  } catch (error) {
    await store.release();
    throw error;
  }
}

async function findOrMake(request: SetupRequest, store: SetupStore): Promise<SetupResult> {
  const { settings, root, repository, untrusted } = request;
  const release = () => store.release();
  const lockfiles = await hashLockfiles(root, settings);
  const keyFor = (trust: string) =>
    setupKey(lockfiles ?? '', settings, { repository, trust, path: request.environment.PATH ?? '' });
  const own = keyFor(untrusted ?? '');
  if (lockfiles !== null) {
    for (const key of new Set([keyFor(''), own])) {
      const found = await store.take(key);
      if (found !== null) return { state: 'cached', release, problem: null, ...(await fitting(found, root)) };
    }
  }
  const made = await makeResult(request, store);
  if (made.folders === null) {
    await release();
    return { state: 'failed', output: null, problem: made.problem, notes: made.notes, release };
  }
  const { folders, bytes } = made;
  const output = { builtAt: root, folders };
  // Without a lock file it cannot be recognised as outdated, so it serves only this run.
  const stored =
    lockfiles === null
      ? output
      : await store.store(own, { ...output, bytes, trusted: untrusted === null, repository });
  // Downloads and the copied tree are deleted in the background.
  if (lockfiles !== null) void store.clearWork();
  const fit = await fitting(stored, root);
  return { state: 'ready', release, problem: null, output: fit.output, notes: [...made.notes, ...fit.notes] };
}

/** Twice the stored size, since package managers keep their downloads too. */
const standardDisk: DiskLimits = { bytes: 10 * gibibyte, files: 3_000_000, free: gibibyte };

interface Made {
  /** Null after a failure. */
  readonly folders: readonly SetupFolder[] | null;
  readonly bytes: number;
  readonly problem: string | null;
  readonly notes: readonly string[];
}

async function makeResult(request: SetupRequest, store: SetupStore): Promise<Made> {
  const { root, settings, signal, identity } = request;
  const work = await store.workFolder();
  const [tree, home] = [join(work, 'tree'), join(work, 'home')];
  for (const folder of [tree, home]) await mkdir(folder);
  await copyTree(root, tree, signal);
  if (identity.uid !== undefined && identity.gid !== undefined) {
    for (const folder of [tree, home]) await chown(folder, identity.uid, identity.gid);
  }
  const sandbox = await openSetupSandbox({
    ...{ root, tree, home, identity, hidden: request.hidden },
    environment: { ...request.environment, ...settings.environment },
    policy: {
      allowed: settings.registries.map(allowedHost),
      allowedAs: 'the registries',
      privateAllowed: request.privateRegistries.map(allowedHost),
    },
  });
  const tooMuch = new AbortController();
  const unwatch = await watchDisk(work, request.disk ?? standardDisk, () => tooMuch.abort());
  let problem: string | null;
  try {
    problem = await runCommands(settings, AbortSignal.any([signal, tooMuch.signal]), sandbox.run);
  } catch (error) {
    if (!tooMuch.signal.aborted || signal.aborted) throw error;
    problem = 'it took more of the disk than it may, and was ended';
  } finally {
    unwatch();
    await sandbox.close();
  }
  const notes = [...sandbox.refused].map(([host, why]) => `The set-up wanted ${host}: refused, ${why}.`);
  if (sandbox.exhausted()) notes.push('The set-up loaded more than it may and was cut off.');
  if (problem !== null) return { folders: null, bytes: 0, problem, notes };
  const { folders, missed } = await findFolders({ tree, home }, settings.cache, limits.folders);
  if (missed > 0) notes.push(`The set-up made more folders than can be mounted: ${missed} are left out.`);
  await makeScratch(folders);
  await clearSetIdBits(folders.map(({ folder }) => folder));
  const bytes = await diskUsage(folders.map(({ folder }) => folder));
  if (bytes > limits.result)
    return {
      folders: null,
      bytes,
      problem: `it made ${Math.round(bytes / gibibyte)} GiB, more than can be stored`,
      notes,
    };
  return { folders, bytes, problem: null, notes };
}

/** Omits folders that the checkout itself contains: installed files must not hide a change. */
async function fitting(output: SetupOutput, root: string): Promise<{ output: SetupOutput; notes: string[] }> {
  const notes: string[] = [];
  const folders: SetupFolder[] = [];
  for (const one of output.folders) {
    if (one.mountPath.startsWith('~/') || (await isFree(root, one.mountPath))) folders.push(one);
    else notes.push(`${one.mountPath} stands in the checkout itself, so that of the set-up is not mounted.`);
  }
  return { output: { ...output, folders }, notes };
}

/** Disk limits of a set-up in bytes and files, and the space that must stay free. */
interface DiskLimits {
  readonly bytes: number;
  readonly files: number;
  readonly free: number;
}

const everyMs = 500;

/**
 * Calls `exceeded` once when the file system of `folder` lost more space than allowed or runs low;
 * returns a function that stops the watch. Other writers on the same disk count too, which errs on
 * the safe side: a hostile build must not stop the machine.
 */
export async function watchDisk(
  folder: string,
  limits: DiskLimits,
  exceeded: () => void,
): Promise<() => void> {
  const first = await statfs(folder);
  const checkDisk = async () => {
    const now = await statfs(folder);
    const taken = (first.bavail - now.bavail) * now.bsize;
    const tooMuch = taken > limits.bytes || now.bavail * now.bsize < limits.free;
    if (!tooMuch && first.ffree - now.ffree <= limits.files) return;
    clearInterval(timer);
    exceeded();
  };
  // A missing folder ends the watch.
  const timer = setInterval(() => void checkDisk().catch(() => clearInterval(timer)), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
