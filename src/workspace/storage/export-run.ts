import {
  closeSync,
  constants,
  copyFileSync,
  createReadStream,
  fstatSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { cp, lstat, open, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { createRedactStream } from '../../redaction/redact-stream.ts';
import { longestSecret } from '../../redaction/secret-forms.ts';
import { chownTree } from '../files/chown.ts';
import { harnessFolder } from '../files/confine-path.ts';
import { errorCode } from '../files/open-confined.ts';
import type { RunFolder } from './run-folder.ts';

interface ExportOptions {
  readonly files: Readonly<Record<string, string>>;
  readonly redact: (text: string) => string;
  readonly recorded: Promise<void>;
}

/**
 * Copies the record of a finished run to `.anode-harness/<run id>` in the checkout, with `files`
 * (name to text), and makes git ignore it. Spilled output and own files are redacted; git's data is
 * not copied. The record in the run folder stays. Call it when no process of the agent runs.
 * Returns the folder.
 *
 * The ledger is copied once `recorded` resolves. If `recorded` rejects, so does this, but never
 * before it settled: the caller may exit after an error.
 */
export async function exportRun(
  run: RunFolder,
  checkoutRoot: string,
  options: Partial<ExportOptions> = {},
): Promise<string> {
  const recorded = options.recorded ?? Promise.resolve();
  const copying = copyRun(run, checkoutRoot, { files: {}, redact: (text) => text, ...options, recorded });
  await everyOne([copying, recorded]);
  return copying;
}

/** Names and descriptors are handled synchronously: through the thread pool it takes 5 ms more. */
async function copyRun(
  run: RunFolder,
  checkoutRoot: string,
  { files, redact, recorded }: ExportOptions,
): Promise<string> {
  const harness = harnessIn(checkoutRoot);
  ignoreAll(harness, run.runId);
  // The agent may have left links under these names: existing entries are replaced.
  const target = path.join(harness, run.runId);
  madeAnew(target, () => mkdirSync(target));
  const entry = (name: string) => path.join(target, name);
  for (const [name, text] of Object.entries(files))
    writeFileSync(entry(path.basename(name)), text, { flag: 'wx', mode: 0o600 });
  mkdirSync(entry('spill'));
  await everyOne([
    recorded.then(() => {
      for (const name of ['ledger.jsonl', 'ledger.head.json', 'trace.jsonl'])
        copyOwnFile(path.join(run.folder, name), entry(name));
    }),
    copyFolderIfThere(run.beforeFolder, entry('before')),
    // Command output is stored unredacted; it is redacted where it leaves our folder.
    exportFolder(run.spillFolder, entry('spill'), redact),
    exportFolder(path.join(run.folder, 'storage'), entry('storage'), redact),
  ]);
  await giveToOwner(checkoutRoot, harness, target);
  return target;
}

/**
 * Works as `Promise.all`, but resolves or rejects only when all have ended, so that nothing writes
 * after an error.
 */
async function everyOne(all: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(all);
  await Promise.all(all);
}

/**
 * Returns the record folder of the checkout; replaces anything else in its place and recreates a
 * deleted checkout. Another run may do the same at once.
 */
function harnessIn(checkoutRoot: string): string {
  const folder = path.join(checkoutRoot, harnessFolder);
  if (succeeds(() => mkdirSync(folder), 'EEXIST', 'ENOENT')) return folder;
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  succeeds(() => rmSync(folder, { force: true }), 'ERR_FS_EISDIR');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Makes git ignore the folder. The file is renamed into place: that replaces a link without
 * following it, and concurrent runs leave it intact.
 */
function ignoreAll(harness: string, runId: string): void {
  const ignore = path.join(harness, '.gitignore');
  const fresh = path.join(harness, `.gitignore.${runId}`);
  madeAnew(fresh, () => writeFileSync(fresh, '*\n', { flag: 'wx' }));
  if (succeeds(() => renameSync(fresh, ignore), 'EISDIR')) return;
  rmSync(ignore, { recursive: true, force: true });
  renameSync(fresh, ignore);
}

/** Creates an entry; deletes an existing one first. */
function madeAnew(entry: string, make: () => void): void {
  if (succeeds(make, 'EEXIST')) return;
  rmSync(entry, { recursive: true, force: true });
  make();
}

/**
 * Copies the ledger, its head or the trace if it is a regular file. Without a sandbox a command may
 * replace it with a link to any file, or with a FIFO that never ends.
 */
function copyOwnFile(from: string, to: string): void {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let file = -1;
  const open = () => {
    file = openSync(from, flags);
  };
  if (!succeeds(open, 'ENOENT', 'ELOOP', 'ENXIO')) return;
  try {
    // Copies the inspected file even if its path is swapped.
    if (fstatSync(file).isFile()) copyFileSync(`/proc/self/fd/${file}`, to, constants.COPYFILE_EXCL);
  } finally {
    closeSync(file);
  }
}

async function copyFolderIfThere(from: string, to: string): Promise<void> {
  if (statSync(from, { throwIfNoEntry: false }) === undefined) return;
  // A FIFO or socket would fail the copy.
  const filter = async (entry: string) => {
    const found = await lstat(entry);
    return found.isFile() || found.isDirectory() || found.isSymbolicLink();
  };
  await cp(from, to, { recursive: true, verbatimSymlinks: true, errorOnExist: true, filter });
}

/**
 * Exports our own files recursively, since children have subfolders; regular files only. Without a
 * sandbox a command may replace the folder itself; then nothing is copied.
 */
async function exportFolder(from: string, to: string, redact: (text: string) => string): Promise<void> {
  if (lstatSync(from, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [below, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await exportFolder(below, target, redact);
    if (!entry.isFile()) continue;
    mkdirSync(to, { recursive: true });
    await copyRedacted(below, target, redact);
  }
}

/**
 * Gives the record to the owner of the checkout when we are root, so that the owner can delete it.
 * Records of other runs are skipped: concurrent runs create and move them.
 */
async function giveToOwner(checkoutRoot: string, harness: string, target: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(checkoutRoot);
  if (uid === 0) return;
  // Without `CAP_CHOWN` the record stays ours.
  for (const shared of [harness, path.join(harness, '.gitignore')])
    succeeds(() => lchownSync(shared, uid, gid), 'ENOENT', 'EPERM');
  await chownTree(target, uid, gid).catch((error: unknown) => {
    if (errorCode(error) !== 'EPERM') throw error;
  });
}

/** Returns true if `act` succeeds, false if it throws an error with one of these codes. */
function succeeds(act: () => void, ...codes: readonly string[]): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (!codes.includes(errorCode(error) ?? '')) throw error;
    return false;
  }
}

/** Bytes copied per file. Redaction is far slower than copying, and output may be endless. */
const mostBytes = 8 * 1024 * 1024;

/**
 * Copies a text file to `to`, which must not exist, and redacts it in chunks that never split a
 * secret. Memory use does not depend on the size. Beyond 8 MiB only the beginning is copied, with a
 * note on how much is missing.
 */
export async function copyRedacted(
  from: string,
  to: string,
  redact: (text: string) => string,
): Promise<void> {
  const target = await open(path.resolve(to), 'wx', 0o600);
  try {
    const stream = createRedactStream(redact, longestSecret);
    const reading = { encoding: 'utf8', highWaterMark: 1024 * 1024, end: mostBytes - 1 } as const;
    for await (const chunk of createReadStream(from, reading)) await target.write(stream.push(String(chunk)));
    await target.write(stream.end());
    const left = (await stat(from)).size - mostBytes;
    if (left > 0) await target.write(`\n[${left} more bytes were not copied into this record]\n`);
  } finally {
    await target.close();
  }
}
