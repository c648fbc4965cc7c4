import { constants } from 'node:fs';
import {
  copyFile,
  cp,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import * as path from 'node:path';
import { harnessFolder } from '../files/confine-path.ts';
import { copyRedacted } from '../files/copy-redacted.ts';
import { giveAll } from '../files/give-all.ts';
import { errorCode } from '../files/open-confined.ts';
import type { RunFolder } from './run-folder.ts';

/**
 * Copies the record of a finished run to `.anode-harness/<run id>` in the checkout, spilled output and own files redacted,
 * with `files` (name to text) beside it, and tells git to ignore all of that. To be called when nothing of the
 * agent's runs any more. The ledger is copied once `recorded` has settled; where that rejects, so does this, and it never settles
 * before that: whoever is told that a copy failed may end the program. Not copied is git's data. Returns the folder. The record in
 * the run folder stays.
 */
export async function exportRun(
  run: RunFolder,
  checkoutRoot: string,
  {
    files = {},
    redact = (text) => text,
    recorded = Promise.resolve(),
  }: {
    readonly files?: Readonly<Record<string, string>>;
    readonly redact?: (text: string) => string;
    readonly recorded?: Promise<void>;
  } = {},
): Promise<string> {
  const copying = copyRun(run, checkoutRoot, { files, redact, recorded });
  await everyOne([copying, recorded]);
  return copying;
}

async function copyRun(
  run: RunFolder,
  checkoutRoot: string,
  {
    files,
    redact,
    recorded,
  }: {
    readonly files: Readonly<Record<string, string>>;
    readonly redact: (text: string) => string;
    readonly recorded: Promise<void>;
  },
): Promise<string> {
  const harness = await harnessIn(checkoutRoot);
  // The agent may have left links under these names: what is there goes, and is made anew.
  const target = path.join(harness, run.runId);
  await everyOne([ignoreAll(harness, run.runId), madeAnew(target, () => mkdir(target))]);
  const place = (name: string) => path.join(target, name);
  const spill = mkdir(place('spill'));
  await everyOne([
    recorded.then(() => copyLedger(run.ledgerFile, place('ledger.jsonl'))),
    copyFolderIfThere(run.beforeFolder, place('before')),
    // What a command said goes into its file as it comes; where it leaves our own folder, it is redacted.
    spill.then(() => exportFolder(run.spillFolder, place('spill'), redact)),
    exportFolder(path.join(run.folder, 'storage'), place('storage'), redact),
    ...Object.entries(files).map(([name, text]) =>
      writeFile(place(path.basename(name)), text, { flag: 'wx' }),
    ),
  ]);
  await giveToOwner(checkoutRoot, harness, target);
  return target;
}

/** As `Promise.all`, but settles when all have: what one failed for is told when nothing writes any more. */
async function everyOne(all: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(all);
  await Promise.all(all);
}

/**
 * The checkout's own folder for records, made afresh when something else was put in its place, or the whole checkout is gone. Another run
 * that ends now may do the same.
 */
async function harnessIn(checkoutRoot: string): Promise<string> {
  const folder = path.join(checkoutRoot, harnessFolder);
  if (await mkdir(folder).then(() => true, unless('EEXIST', false, 'ENOENT'))) return folder;
  const found = await lstat(folder).catch(unless('ENOENT', null));
  if (found?.isDirectory()) return folder;
  await rm(folder, { force: true }).catch(unless('ERR_FS_EISDIR', undefined));
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
  await madeAnew(fresh, () => writeFile(fresh, '*\n', { flag: 'wx' }));
  if (await rename(fresh, ignore).then(() => true, unless('EISDIR', false))) return;
  await rm(ignore, { recursive: true, force: true });
  await rename(fresh, ignore);
}

/** Makes what must not be there yet; what is there in its place goes first. */
async function madeAnew(place: string, make: () => Promise<unknown>): Promise<void> {
  if (await make().then(() => true, unless('EEXIST', false))) return;
  await rm(place, { recursive: true, force: true });
  await make();
}

/**
 * Copies the ledger where there is one. Without a sandbox a command can put a link to any file in its place, or a FIFO, of which the
 * first is not to be shown and the second is never read to its end: then there is none to copy.
 */
async function copyLedger(from: string, to: string): Promise<void> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(from, flags).catch(unless('ENOENT', null, 'ELOOP', 'ENXIO'));
  if (file === null) return;
  try {
    if (!(await file.stat()).isFile()) return;
    // What was looked at, whatever its path is swapped for meanwhile.
    await copyFile(`/proc/self/fd/${file.fd}`, to, constants.COPYFILE_EXCL);
  } finally {
    await file.close();
  }
}

async function copyFolderIfThere(from: string, to: string): Promise<void> {
  if ((await stat(from).catch(unless('ENOENT', null))) === null) return;
  // A FIFO or socket would fail the whole copy.
  const filter = async (place: string) => {
    const found = await lstat(place);
    return found.isFile() || found.isDirectory() || found.isSymbolicLink();
  };
  await cp(from, to, { recursive: true, verbatimSymlinks: true, errorOnExist: true, filter });
}

/**
 * Our own files, folder by folder, as children have folders of theirs; nothing that is neither file nor folder, and no link. Without a
 * sandbox a command can put one, or a file, in the place of the folder itself: then there is none to copy.
 */
async function exportFolder(from: string, to: string, redact: (text: string) => string): Promise<void> {
  const found = await lstat(from).catch(unless('ENOENT', null));
  if (found === null || !found.isDirectory()) return;
  const entries = await readdir(from, { withFileTypes: true }).catch(unless('ENOENT', []));
  for (const entry of entries) {
    const [below, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await exportFolder(below, target, redact);
    if (!entry.isFile()) continue;
    await mkdir(to, { recursive: true });
    await copyRedacted(below, target, redact);
  }
}

/**
 * As root, the record belongs to whoever owns the checkout, so that its owner can remove it. Not those of other runs: they are being
 * made and moved, where several end at once.
 */
async function giveToOwner(checkoutRoot: string, harness: string, target: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = await stat(checkoutRoot);
  if (uid === 0) return;
  const shared = [harness, path.join(harness, '.gitignore')];
  // Without the right to give (`CAP_CHOWN`) the record stays ours.
  await Promise.all(
    shared.map((place) => lchown(place, uid, gid).catch(unless('ENOENT', undefined, 'EPERM'))),
  );
  await giveAll(target, uid, gid).catch(unless('EPERM', undefined));
}

/** What takes an error of that code, or one of the others, for an answer, and throws all else. */
function unless<Value>(code: string, value: Value, ...others: readonly string[]): (error: unknown) => Value {
  return (error) => {
    if (![code, ...others].includes(errorCode(error) ?? '')) throw error;
    return value;
  };
}
