import { cp, lstat, mkdir, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { ConfigError } from '../contract/errors.ts';
import { harnessFolder } from './confine-path.ts';
import { copyRedacted } from './copy-redacted.ts';
import { giveAll } from './give-all.ts';
import { errorCode } from './open-confined.ts';

/** Where one run keeps what it makes: outside the checkout, readable by its own user alone. */
export interface RunFolder {
  readonly runId: string;
  readonly folder: string;
  /** The run ledger, JSON lines. */
  readonly ledgerFile: string;
  /** Outputs too long for the model. */
  readonly spillFolder: string;
  /** Contents of files before the run changed them. */
  readonly beforeFolder: string;
}

/**
 * What of a run folder is copied to the checkout: the record for people, not git's data, and not what the run's own
 * files were before, which nothing is put back from.
 */
const EXPORTED = ['ledger.jsonl', 'before'];

/**
 * Makes the folder of a run below `base`, which is made too. Throws `ConfigError` for an id that
 * is not of letters, digits, `_` and `-`, when there is a run of that id already, and when `base` is open to others.
 */
export async function createRunFolder(options: {
  readonly base: string;
  readonly runId: string;
}): Promise<RunFolder> {
  if (!/^[\w-]+$/.test(options.runId)) {
    throw new ConfigError(`A run's id has letters, digits, _ and - only, not: ${options.runId}`);
  }
  await mkdir(options.base, { recursive: true, mode: 0o700 });
  await refuseForeign(options.base);
  const folder = path.join(await realpath(options.base), options.runId);
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new ConfigError(`There is a run of that id already: ${folder}`, {}, { cause: error });
  }
  const spillFolder = path.join(folder, 'spill');
  await mkdir(spillFolder, { mode: 0o700 });
  return {
    runId: options.runId,
    folder,
    ledgerFile: path.join(folder, 'ledger.jsonl'),
    spillFolder,
    beforeFolder: path.join(folder, 'before'),
  };
}

/** In a temporary folder of everyone's, another user could have made the base first, to read or forge what comes. */
async function refuseForeign(base: string): Promise<void> {
  const { uid, mode } = await stat(base);
  if (uid === process.geteuid?.() && (mode & 0o022) === 0) return;
  throw new ConfigError(
    `${base} can be written to by another user, who could read or forge what runs keep there. Remove it, or set TMPDIR to a folder of your own.`,
    { key: 'TMPDIR' },
  );
}

/** The checkout's own folder for records, made afresh when something else was put in its place. */
async function harnessIn(checkoutRoot: string): Promise<string> {
  const folder = path.join(checkoutRoot, harnessFolder);
  const found = await lstat(folder).catch(() => null);
  if (found !== null && !found.isDirectory()) await rm(folder);
  await mkdir(folder, { recursive: true });
  return folder;
}

/**
 * Has git ignore the folder. Made aside and renamed: that takes the place of a link without following it, and of
 * several runs that end at once each leaves it whole.
 */
async function ignoreAll(harness: string, runId: string): Promise<void> {
  const ignore = path.join(harness, '.gitignore');
  const fresh = path.join(harness, `.gitignore.${runId}`);
  await rm(fresh, { recursive: true, force: true });
  await writeFile(fresh, '*\n', { flag: 'wx' });
  const found = await lstat(ignore).catch(() => null);
  if (found?.isDirectory()) await rm(ignore, { recursive: true, force: true });
  await rename(fresh, ignore);
}

/**
 * Copies the record of a finished run to `.anode-harness/<run id>` in the checkout, spilled output and own files redacted,
 * with `files` (name to text) beside it, and tells git to ignore all of that. To be called when nothing of the
 * agent's runs any more. Returns the folder. The record in the run folder stays.
 */
export async function exportRun(
  run: RunFolder,
  checkoutRoot: string,
  files: Readonly<Record<string, string>> = {},
  redact: (text: string) => string = (text) => text,
): Promise<string> {
  const harness = await harnessIn(checkoutRoot);
  const target = path.join(harness, run.runId);
  // The agent may have left links under these names: what is there goes first, then files are made anew.
  await rm(target, { recursive: true, force: true });
  await ignoreAll(harness, run.runId);
  await mkdir(target);
  for (const name of EXPORTED) {
    const from = path.join(run.folder, name);
    if ((await stat(from).catch(() => null)) === null) continue;
    await cp(from, path.join(target, name), { recursive: true, verbatimSymlinks: true, errorOnExist: true });
  }
  // What a command said goes into its file as it comes; where it leaves our own folder, it is redacted.
  await mkdir(path.join(target, 'spill'));
  await exportFolder(run.spillFolder, path.join(target, 'spill'), redact);
  await exportFolder(path.join(run.folder, 'storage'), path.join(target, 'storage'), redact);
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(target, path.basename(name)), text, { flag: 'wx' });
  }
  await giveToOwner(checkoutRoot, harness);
  return target;
}

/** Our own files, folder by folder, as children have folders of theirs; nothing that is neither file nor folder, and no link. */
async function exportFolder(from: string, to: string, redact: (text: string) => string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
    return [];
  });
  for (const entry of entries) {
    const [below, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await exportFolder(below, target, redact);
    if (!entry.isFile()) continue;
    await mkdir(to, { recursive: true });
    await copyRedacted(below, target, redact);
  }
}

/** As root, the record belongs to whoever owns the checkout, so that its owner can remove it. */
async function giveToOwner(checkoutRoot: string, folder: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = await stat(checkoutRoot);
  if (uid !== 0) await giveAll(folder, uid, gid);
}
