import {
  constants,
  copyFile,
  cp,
  lstat,
  mkdir,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import * as path from 'node:path';
import { harnessFolder } from './confine-path.ts';
import { copyRedacted } from './copy-redacted.ts';
import { giveAll } from './give-all.ts';
import { errorCode } from './open-confined.ts';
import type { RunFolder } from './run-folder.ts';

/**
 * Copies the record of a finished run to `.anode-harness/<run id>` in the checkout, spilled output and own files redacted,
 * with `files` (name to text) beside it, and tells git to ignore all of that. To be called when nothing of the
 * agent's runs any more. The ledger is copied once `recorded` has settled; where that rejects, so does this. Not copied is
 * git's data. Returns the folder. The record in the run folder stays.
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
  // It may reject before it is waited for.
  recorded.catch(() => undefined);
  const harness = await harnessIn(checkoutRoot);
  // The agent may have left links under these names: what is there goes, and is made anew.
  const target = path.join(harness, run.runId);
  await Promise.all([ignoreAll(harness, run.runId), madeAnew(target, () => mkdir(target))]);
  const place = (name: string) => path.join(target, name);
  const spill = mkdir(place('spill'));
  await Promise.all([
    recorded.then(() => copyIfThere(run.ledgerFile, place('ledger.jsonl'))),
    copyFolderIfThere(run.beforeFolder, place('before')),
    // What a command said goes into its file as it comes; where it leaves our own folder, it is redacted.
    spill.then(() => exportFolder(run.spillFolder, place('spill'), redact)),
    exportFolder(path.join(run.folder, 'storage'), place('storage'), redact),
    ...Object.entries(files).map(([name, text]) =>
      writeFile(place(path.basename(name)), text, { flag: 'wx' }),
    ),
  ]);
  await giveToOwner(checkoutRoot, harness);
  return target;
}

/** The checkout's own folder for records, made afresh when something else was put in its place. */
async function harnessIn(checkoutRoot: string): Promise<string> {
  const folder = path.join(checkoutRoot, harnessFolder);
  const made = await mkdir(folder).then(() => true, unless('EEXIST', false));
  if (made || (await lstat(folder)).isDirectory()) return folder;
  await rm(folder);
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

async function copyIfThere(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL).catch(unless('ENOENT', undefined));
}

async function copyFolderIfThere(from: string, to: string): Promise<void> {
  if ((await stat(from).catch(unless('ENOENT', null))) === null) return;
  await cp(from, to, { recursive: true, verbatimSymlinks: true, errorOnExist: true });
}

/** Our own files, folder by folder, as children have folders of theirs; nothing that is neither file nor folder, and no link. */
async function exportFolder(from: string, to: string, redact: (text: string) => string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch(unless('ENOENT', []));
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

/** What takes an error of that code for an answer, and throws all others. */
function unless<Value>(code: string, value: Value): (error: unknown) => Value {
  return (error) => {
    if (errorCode(error) !== code) throw error;
    return value;
  };
}
