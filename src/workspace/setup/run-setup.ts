import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { allowedHost } from '../../network/allowed-host.ts';
import { openSetupSandbox } from '../../sandbox/setup-sandbox.ts';
import type { SetupFolder, SetupOutput } from '../../sandbox/shown-setup.ts';
import { copyTree } from './copy-tree.ts';
import { isFree } from './is-free.ts';
import { findFolders, makeScratch, sizeOf } from './made-folders.ts';
import { runCommands } from './run-commands.ts';
import { hashLockfiles, setupKey } from './setup-key.ts';
import type { SetupSettings } from './setup-settings.ts';
import { openSetupStore, type SetupStore } from './setup-store.ts';
import { takeRights } from './take-rights.ts';
import { type DiskLimits, watchDisk } from './watch-disk.ts';

/** What a set-up came to. */
export interface SetupResult {
  readonly state: 'ready' | 'cached' | 'failed';
  /** What the run is shown; none where it failed. */
  readonly output: SetupOutput | null;
  /** Why it failed, in one line; null where it did not. */
  readonly problem: string | null;
  /** What else a person should know, a line each: hosts that were refused, folders that were left out. */
  readonly notes: readonly string[];
  /** To be called when the run has ended. */
  release(): Promise<void>;
}

export interface SetupRequest {
  readonly settings: SetupSettings;
  /** The checkout, which is only read. */
  readonly root: string;
  /** Where results are kept: a folder of ours, outside every checkout. */
  readonly storeFolder: string;
  readonly repository: string;
  /** Null for a tree whose author may push to the repository; else whose tree it is, such as a pull request's number. */
  readonly untrusted: string | null;
  /** Hosts that the operator lets have a private address. */
  readonly privateRegistries: readonly string[];
  /** The clean environment of commands. */
  readonly environment: Readonly<Record<string, string>>;
  readonly hidden: readonly string[];
  /** Whom commands run as, where that is not us. */
  readonly identity: { readonly uid?: number; readonly gid?: number };
  /** What it may take of the disk; left out, enough for any project. */
  readonly disk?: DiskLimits;
  readonly signal: AbortSignal;
}

const gibibyte = 2 ** 30;
/** All kept results of this machine, and one of them, in bytes. */
const limits = { store: 12 * gibibyte, result: 4 * gibibyte, folders: 60 };

/**
 * Runs the commands of the set-up on a copy of the checkout, or finds what they came to before. A result that was made from an
 * untrusted tree is found again for that tree's own author alone; one from a trusted tree serves anybody, since nothing that
 * others wrote is in it. Nothing is thrown but what is a defect: a set-up that fails is a result.
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
  // Without a file that tells when it is out of date, it serves this run alone and goes with it.
  const kept =
    lockfiles === null
      ? output
      : await store.keep(own, { ...output, bytes, trusted: untrusted === null, repository });
  // Downloads and the copy of the tree: nothing waits for them to go.
  if (lockfiles !== null) void store.clearWork();
  const fit = await fitting(kept, root);
  return { state: 'ready', release, problem: null, output: fit.output, notes: [...made.notes, ...fit.notes] };
}

/** Twice of what is kept, since package managers keep what they load as well. */
const standardDisk: DiskLimits = { bytes: 10 * gibibyte, files: 3_000_000, free: gibibyte };

interface Made {
  /** Null where it failed. */
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
  if (missed > 0) notes.push(`The set-up made more folders than are shown: ${missed} are left out.`);
  await makeScratch(folders);
  await takeRights(folders.map(({ folder }) => folder));
  const bytes = await sizeOf(folders.map(({ folder }) => folder));
  if (bytes > limits.result)
    return {
      folders: null,
      bytes,
      problem: `it made ${Math.round(bytes / gibibyte)} GiB, more than are kept`,
      notes,
    };
  return { folders, bytes, problem: null, notes };
}

/** Leaves out folders that the checkout has itself: what a change brings is not hidden by what was installed. */
async function fitting(output: SetupOutput, root: string): Promise<{ output: SetupOutput; notes: string[] }> {
  const notes: string[] = [];
  const folders: SetupFolder[] = [];
  for (const one of output.folders) {
    if (one.place.startsWith('~/') || (await isFree(root, one.place))) folders.push(one);
    else notes.push(`${one.place} stands in the checkout itself, so that of the set-up is not shown.`);
  }
  return { output: { ...output, folders }, notes };
}
