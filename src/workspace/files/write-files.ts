import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  write,
  writeSync,
} from 'node:fs';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { ToolError } from '../../contract/errors.ts';
import { chownFile } from './chown.ts';
import type { FileWrite } from './confined-files.ts';
import { errorCode, isDirectory, type OpenDirectory } from './open-confined.ts';
import { createTargetFolders, type TargetFolder, type TargetFolders } from './target-folders.ts';

const NEW_FILE_MODE = 0o644;
/** Set-group-ID bit: new entries inherit the folder's group. */
const SET_GROUP = 0o2000;
/** Bytes written synchronously at most. */
const WRITE_AT_ONCE = 1024 * 1024;
/** Files open at a time. A journal batches the syncs of a group. */
const GROUP = 64;

const sync = promisify(fsync);
const writeLong = promisify(write);

/** One write with its inspected target. */
interface Target {
  readonly write: FileWrite;
  readonly folder: TargetFolder;
  readonly target: string;
  readonly existing: Stats | null;
  /** Paths in the staging folder: the new content, and the old one until all are in place. */
  readonly temporary: string;
  readonly backup: string;
}

function inspectTarget(folders: TargetFolders, write: FileWrite, number: number): Target {
  const displayPath = write.path;
  const above = path.dirname(displayPath);
  const folder = folders.open(above === '.' ? '' : above, displayPath);
  const target = `${folder.folder}/${path.basename(displayPath)}`;
  const existing = lstatSync(target, { throwIfNoEntry: false }) ?? null;
  if (existing?.isDirectory()) throw isDirectory(displayPath);
  if (write.content === null && existing === null) {
    throw new ToolError('not_found', `${displayPath} does not exist, so it cannot be deleted.`);
  }
  if (write.content !== null && existing?.isSymbolicLink()) {
    throw new ToolError(
      'symlink',
      `${displayPath} is a link. Write to the file it leads to, or delete it first.`,
    );
  }
  if (write.content !== null && existing !== null && !existing.isFile()) {
    throw new ToolError('not_a_file', `${displayPath} is neither a file nor a directory; it is left alone.`);
  }
  const beside = `${folders.staging(folder).folder}/${number}`;
  return { write, folder, target, existing, temporary: beside, backup: `${beside}-old` };
}

/** Writes the new content into the staging folder. Returns the descriptor for sync and close. */
async function stage({ write, folder, existing, temporary }: Target, content: Buffer): Promise<number> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = openSync(temporary, flags, 0o600);
  try {
    for (let at = 0; at < content.length; ) {
      const rest = content.length - at;
      at +=
        rest <= WRITE_AT_ONCE
          ? writeSync(fd, content, at, rest)
          : (await writeLong(fd, content, at, rest)).bytesWritten;
    }
    setOwner(fd, existing, folder.stats);
    fchmodSync(fd, (write.mode ?? existing?.mode ?? NEW_FILE_MODE) & 0o777);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * Keeps owner and group of an existing file; a new one gets the folder's if permitted. Commands of
 * the run drop to the tree's owner and must be able to change it.
 */
function setOwner(fd: number, existing: Stats | null, around: Stats): void {
  const { uid, gid } = existing ?? around;
  if (process.geteuid?.() === 0 && chownFile(fd, uid, gid)) return;
  const inherits = existing !== null || (around.mode & SET_GROUP) !== 0;
  // Fails for groups that we are not in.
  if (inherits && gid !== process.getegid?.()) chownFile(fd, -1, gid);
}

async function stageAll(targets: readonly Target[]): Promise<void> {
  for (let at = 0; at < targets.length; at += GROUP) {
    const open: number[] = [];
    try {
      for (const target of targets.slice(at, at + GROUP)) {
        if (target.write.content !== null) open.push(await stage(target, target.write.content));
      }
      const synced = await Promise.allSettled(open.map((fd) => sync(fd)));
      for (const one of synced) if (one.status === 'rejected') throw one.reason;
    } finally {
      for (const fd of open) closeSync(fd);
    }
  }
}

/**
 * Puts one staged write in place. The previous file is backed up, except for the last write, after
 * which nothing can fail.
 */
function commit({ write, target, temporary, backup, existing }: Target, last: boolean): void {
  if (write.content === null) {
    if (last) unlinkSync(target);
    else renameSync(target, backup);
    return;
  }
  if (existing !== null && !last) backUp(target, backup);
  renameSync(temporary, target);
}

function backUp(target: string, backup: string): void {
  try {
    linkSync(target, backup);
  } catch {
    // Hard links are unsupported here or denied for another user's file. A copy meets any other
    // problem too.
    copyFileSync(target, backup, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
}

/**
 * Reverts writes, last first. If one cannot be reverted, throws an error whose cause is `reason`.
 */
function undo(done: readonly Target[], reason: unknown): void {
  const stuck: string[] = [];
  for (const { write, target, backup, existing } of done.toReversed()) {
    try {
      if (existing === null) unlinkSync(target);
      else renameSync(backup, target);
    } catch {
      stuck.push(write.path);
    }
  }
  if (stuck.length === 0) return;
  throw new Error(`A change failed, and could not be reverted in ${stuck.join(', ')}.`, {
    cause: reason,
  });
}

async function syncFolders(changed: readonly OpenDirectory[]): Promise<void> {
  const synced = await Promise.allSettled([...new Set(changed)].map(({ fd }) => sync(fd)));
  for (const one of synced) {
    // Some file systems cannot sync a folder.
    if (one.status === 'rejected' && errorCode(one.reason) !== 'EINVAL') throw one.reason;
  }
}

/**
 * Applies all writes durably, or none. Contents are staged and synced before the first rename,
 * folders synced after the last. Deletions come last. If a rename fails, earlier ones are reverted.
 * A hard link to a target keeps the old content. Paths are in normal form below `root`, a real
 * path, and already authorized. Throws `ToolError`: `symlink`, `is_directory`, `not_a_directory`,
 * `not_a_file`, `not_found`, `outside_workspace`; else the system's error.
 */
export async function writeFiles(root: string, writes: readonly FileWrite[]): Promise<void> {
  const folders = createTargetFolders(root);
  const done: Target[] = [];
  try {
    const ordered = [
      ...writes.filter(({ content }) => content !== null),
      ...writes.filter(({ content }) => content === null),
    ];
    const targets = ordered.map((write, number) => inspectTarget(folders, write, number));
    await stageAll(targets);
    for (const target of targets) {
      commit(target, target === targets.at(-1));
      done.push(target);
    }
  } catch (error) {
    try {
      undo(done, error);
      folders.removeMade();
    } finally {
      folders.close();
    }
    throw error;
  }
  try {
    // All writes are in place; a failed sync does not revert them.
    await syncFolders([...folders.aroundMade(), ...done.map(({ folder }) => folder)]);
  } finally {
    folders.close();
  }
}
