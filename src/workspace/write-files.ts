import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chown, link, lstat, mkdir, open, rename, rmdir, unlink } from 'node:fs/promises';
import * as path from 'node:path';
import { ToolError } from '../contract/errors.ts';
import { temporaryPrefix } from './confine-path.ts';
import type { FileWrite } from './confined-files.ts';
import {
  errorCode,
  isDirectory,
  type OpenDirectory,
  openDirectory,
  openEntryDirectory,
} from './open-confined.ts';

const NEW_FILE_MODE = 0o644;
const NEW_FOLDER_MODE = 0o755;

/** One write that is ready: its new content lies beside the target, synced. */
interface Staged {
  readonly shown: string;
  readonly parent: OpenDirectory;
  readonly target: string;
  readonly existed: boolean;
  /** Null for a deletion. */
  readonly temporary: string | null;
  readonly backup: string;
}

interface Batch {
  readonly root: string;
  readonly parents: OpenDirectory[];
  /** Directories this batch made, outermost first. */
  readonly made: { readonly parent: OpenDirectory; readonly name: string }[];
}

/**
 * As root, what is made belongs to whoever owns the directory around it: commands of the run drop to that
 * owner and must be able to change it.
 */
async function giveToOwner(entry: string, parent: OpenDirectory): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = await parent.handle.stat();
  await chown(entry, uid, gid);
}

/** The folder of a target, made where it is missing. A link on the way is refused, wherever it leads. */
async function targetFolder(batch: Batch, relative: string, shown: string): Promise<OpenDirectory> {
  try {
    const found = await openDirectory(batch.root, path.join(batch.root, relative), shown);
    batch.parents.push(found);
    if (found.relative === relative) return found;
    const real = path.join(found.relative, path.basename(shown));
    throw new ToolError('symlink', `${shown} goes through a link. Write to ${real} instead.`);
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') {
      throw new ToolError('not_a_directory', `${shown} lies below something that is not a directory.`);
    }
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  const name = path.basename(relative);
  const above = path.dirname(relative);
  const parent = await targetFolder(batch, above === '.' ? '' : above, shown);
  try {
    await mkdir(`${parent.folder}/${name}`, NEW_FOLDER_MODE);
    batch.made.push({ parent, name });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new ToolError('symlink', `${relative} is a link that leads nowhere. Delete it first.`);
  }
  const opened = await openEntryDirectory(batch.root, parent, name, shown);
  batch.parents.push(opened);
  await giveToOwner(opened.folder, parent);
  return opened;
}

async function stage(batch: Batch, write: FileWrite): Promise<Staged> {
  const shown = write.path;
  const above = path.dirname(shown);
  const parent = await targetFolder(batch, above === '.' ? '' : above, shown);
  const target = `${parent.folder}/${path.basename(shown)}`;
  const existing = await lstat(target).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (existing?.isDirectory()) throw isDirectory(shown);
  if (write.content === null && existing === null) {
    throw new ToolError('not_found', `${shown} does not exist, so it cannot be deleted.`);
  }
  if (write.content !== null && existing?.isSymbolicLink()) {
    throw new ToolError('symlink', `${shown} is a link. Write to the file it leads to, or delete it first.`);
  }
  if (write.content !== null && existing !== null && !existing.isFile()) {
    throw new ToolError('not_a_file', `${shown} is neither a file nor a directory; it is left alone.`);
  }
  const beside = `${parent.folder}/${temporaryPrefix}${randomBytes(8).toString('hex')}`;
  const staged = { shown, parent, target, existed: existing !== null, backup: `${beside}-old` };
  if (write.content === null) return { ...staged, temporary: null };
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(beside, flags, 0o600);
  try {
    await handle.writeFile(write.content);
    await handle.chmod((write.mode ?? (existing ? existing.mode : NEW_FILE_MODE)) & 0o777);
    await giveToOwner(`/proc/self/fd/${handle.fd}`, parent);
    await handle.sync();
  } catch (error) {
    await unlink(beside).catch(() => {});
    throw error;
  } finally {
    await handle.close();
  }
  return { ...staged, temporary: beside };
}

/** Puts one staged write in place; what stood there before is kept under `backup` until all are in place. */
async function commit(staged: Staged): Promise<void> {
  if (staged.temporary === null) return rename(staged.target, staged.backup);
  if (staged.existed) await link(staged.target, staged.backup);
  await rename(staged.temporary, staged.target);
}

async function undo(staged: Staged): Promise<void> {
  if (staged.existed) await rename(staged.backup, staged.target);
  else await unlink(staged.target);
}

async function closeAll(batch: Batch): Promise<void> {
  for (const { handle } of batch.parents) await handle.close();
}

/**
 * Makes all writes or none. Each new content is written beside its target and synced before the first
 * rename; deletions come last; when a rename fails, those before it are taken back. Paths are in normal form
 * below `root`, a real path, and were judged by the caller. Throws `ToolError`: `symlink`, `is_directory`,
 * `not_a_directory`, `not_a_file`, `not_found`, `outside_workspace`; anything else is the system's error.
 */
export async function writeFiles(root: string, writes: readonly FileWrite[]): Promise<void> {
  const batch: Batch = { root, parents: [], made: [] };
  const staged: Staged[] = [];
  const done: Staged[] = [];
  try {
    const ordered = [
      ...writes.filter(({ content }) => content !== null),
      ...writes.filter(({ content }) => content === null),
    ];
    for (const write of ordered) staged.push(await stage(batch, write));
    for (const one of staged) {
      await commit(one);
      done.push(one);
    }
  } catch (error) {
    for (const one of done.toReversed()) await undo(one);
    for (const { temporary, backup } of staged) {
      if (temporary === null) continue;
      await unlink(temporary).catch(() => {});
      await unlink(backup).catch(() => {});
    }
    for (const { parent, name } of batch.made.toReversed()) {
      await rmdir(`${parent.folder}/${name}`).catch(() => {});
    }
    await closeAll(batch);
    throw error;
  }
  for (const one of done) if (one.existed) await unlink(one.backup);
  await closeAll(batch);
}
