import { constants, createReadStream } from 'node:fs';
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

async function copyRun(
  run: RunFolder,
  checkoutRoot: string,
  { files, redact, recorded }: ExportOptions,
): Promise<string> {
  const harness = await harnessIn(checkoutRoot);
  // The agent may have left links under these names: existing entries are replaced.
  const target = path.join(harness, run.runId);
  await everyOne([ignoreAll(harness, run.runId), madeAnew(target, () => mkdir(target))]);
  const entry = (name: string) => path.join(target, name);
  const spill = mkdir(entry('spill'));
  await everyOne([
    ...['ledger.jsonl', 'ledger.head.json', 'trace.jsonl'].map((name) =>
      recorded.then(() => copyOwnFile(path.join(run.folder, name), entry(name))),
    ),
    copyFolderIfThere(run.beforeFolder, entry('before')),
    // Command output is stored unredacted; it is redacted where it leaves our folder.
    spill.then(() => exportFolder(run.spillFolder, entry('spill'), redact)),
    exportFolder(path.join(run.folder, 'storage'), entry('storage'), redact),
    ...Object.entries(files).map(([name, text]) =>
      writeFile(entry(path.basename(name)), text, { flag: 'wx', mode: 0o600 }),
    ),
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
 * Makes git ignore the folder. The file is renamed into place: that replaces a link without
 * following it, and concurrent runs leave it intact.
 */
async function ignoreAll(harness: string, runId: string): Promise<void> {
  const ignore = path.join(harness, '.gitignore');
  const fresh = path.join(harness, `.gitignore.${runId}`);
  await madeAnew(fresh, () => writeFile(fresh, '*\n', { flag: 'wx' }));
  if (await rename(fresh, ignore).then(() => true, unless('EISDIR', false))) return;
  await rm(ignore, { recursive: true, force: true });
  await rename(fresh, ignore);
}

/** Creates an entry; deletes an existing one first. */
async function madeAnew(entry: string, make: () => Promise<unknown>): Promise<void> {
  if (await make().then(() => true, unless('EEXIST', false))) return;
  await rm(entry, { recursive: true, force: true });
  await make();
}

/**
 * Copies the ledger, its head or the trace if it is a regular file. Without a sandbox a command may
 * replace it with a link to any file, or with a FIFO that never ends.
 */
async function copyOwnFile(from: string, to: string): Promise<void> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(from, flags).catch(unless('ENOENT', null, 'ELOOP', 'ENXIO'));
  if (file === null) return;
  try {
    if (!(await file.stat()).isFile()) return;
    // Copies the inspected file even if its path is swapped.
    await copyFile(`/proc/self/fd/${file.fd}`, to, constants.COPYFILE_EXCL);
  } finally {
    await file.close();
  }
}

async function copyFolderIfThere(from: string, to: string): Promise<void> {
  if ((await stat(from).catch(unless('ENOENT', null))) === null) return;
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
 * Gives the record to the owner of the checkout when we are root, so that the owner can delete it.
 * Records of other runs are skipped: concurrent runs create and move them.
 */
async function giveToOwner(checkoutRoot: string, harness: string, target: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = await stat(checkoutRoot);
  if (uid === 0) return;
  const shared = [harness, path.join(harness, '.gitignore')];
  // Without `CAP_CHOWN` the record stays ours.
  await Promise.all(
    shared.map((entry) => lchown(entry, uid, gid).catch(unless('ENOENT', undefined, 'EPERM'))),
  );
  await chownTree(target, uid, gid).catch(unless('EPERM', undefined));
}

/** Returns a handler that maps errors with one of these codes to `value` and rethrows others. */
function unless<Value>(code: string, value: Value, ...others: readonly string[]): (error: unknown) => Value {
  return (error) => {
    if (![code, ...others].includes(errorCode(error) ?? '')) throw error;
    return value;
  };
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
