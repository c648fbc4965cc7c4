import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { ToolError } from '../../contract/errors.ts';
import { openClosed } from '../../permissions/tree/open-closed.ts';
import { chownFile } from '../files/chown.ts';
import { temporaryPrefix } from '../files/confine-path.ts';
import { errorCode, type OpenDirectory } from '../files/open-confined.ts';
import { runProgram } from '../files/run-program.ts';
import { openStagingFolder } from '../files/staging-folder.ts';
import { writeFiles } from '../files/write-files.ts';
import type { OwnGit } from '../git/own-git.ts';
import { runGit } from '../git/run-git.ts';
import { entryPath } from '../git/tree-names.ts';

/**
 * State of a path in a snapshot: git's mode and object, or the content itself; null for an absent
 * path.
 */
export interface SavedEntry {
  readonly path: string;
  readonly entry:
    | { readonly mode: string; readonly object: string }
    /** The target of a link. */
    | { readonly mode: string; readonly content: Buffer }
    | null;
  /** Mode of the file. Default: readable and writable by its owner. */
  readonly permissions?: number | undefined;
  /** For an absent path: true if a folder there is deleted with its contents. */
  readonly whole?: true;
}

/**
 * Restores paths of the work tree to a snapshot: content, executable bit, link or absence.
 * Obstacles came after the snapshot and are deleted. Closed parent folders are opened for writing
 * (`chmod u+rwx`). No link is followed, even if swapped in during the work: every step starts from
 * an open folder. Returns the paths that could not be restored. Folders emptied by this stay.
 */
export async function restoreEntries(
  root: string,
  git: OwnGit,
  saved: readonly SavedEntry[],
): Promise<string[]> {
  const failed: string[] = [];
  for (const one of saved) {
    try {
      await restoreEntry(root, git, one);
    } catch (error) {
      // Running processes may swap paths, and disks may be full: the next look retries.
      if (!(error instanceof ToolError) && errorCode(error) === undefined && !isMissing(error)) throw error;
      failed.push(one.path);
    }
  }
  return failed;
}

/** A path with its git mode and its content; of a link, its target. */
export interface SavedContent {
  readonly path: string;
  readonly entry: { readonly mode: string; readonly content: Buffer };
  /** Mode of the file. Default: as `SavedEntry`. */
  readonly permissions?: number | undefined;
}

/**
 * Restores one path from its content, as `restoreEntries` does. Throws the system's error.
 */
export async function restoreContent(root: string, saved: SavedContent): Promise<void> {
  writeContent(root, saved, await clearObstacles(root, saved));
}

function writeContent(root: string, { path, entry, permissions }: SavedContent, found: Stats | null): void {
  const { mode, content } = entry;
  if (mode === '120000') writeEntry(root, path, { target: content });
  else writeEntry(root, path, { content, mode: permissions ?? defaultMode(mode, found) });
}

/** Returns the bits of the file that was found, with the executable bit as in git. */
const defaultMode = (gitMode: string, found: Stats | null): number =>
  ((found === null ? 0o644 : found.mode) & 0o666) | 0o600 | (gitMode === '100755' ? 0o111 : 0);

async function restoreEntry(root: string, git: OwnGit, saved: SavedEntry): Promise<void> {
  const { path: file, entry, permissions } = saved;
  const found = await clearObstacles(root, saved);
  if (entry === null) return;
  if (entry.mode === '120000' || 'content' in entry || !file.isWellFormed()) {
    const content = 'content' in entry ? entry.content : await blobOf(git, entry.object);
    writeContent(root, { path: file, entry: { mode: entry.mode, content }, permissions }, found);
    return;
  }
  const mode = permissions ?? defaultMode(entry.mode, found);
  // Read as git checks it out, with the line endings of the attributes at the start of the run.
  const { stdout } = await runGit(['cat-file', '--filters', `--path=${file}`, entry.object], {
    ...git,
    cwd: root,
    workTree: root,
  });
  await writeFiles(root, [{ path: file, content: stdout, mode }]);
}

async function blobOf(git: OwnGit, object: string): Promise<Buffer> {
  return (await runGit(['cat-file', 'blob', object], git)).stdout;
}

/**
 * Writes one file or link, also where tools may not: in git directories, or under names that are
 * not UTF-8. Renames it into place from beside; makes missing folders.
 */
function writeEntry(
  root: string,
  file: string,
  what: { readonly target: Buffer } | { readonly content: Buffer; readonly mode: number },
): void {
  const parts = file.split('/');
  const name = parts.pop() ?? '';
  const open: OpenDirectory[] = [openFolder(root)];
  try {
    for (const part of parts) open.push(openOrMake(open.at(-1), part));
    const { folder, fd } = open.at(-1) ?? openFolder(root);
    const staged = `${folder}/${temporaryPrefix}${randomBytes(8).toString('hex')}`;
    if ('target' in what) symlinkSync(what.target, staged);
    else writeNew(staged, what);
    const { uid, gid } = fstatSync(fd);
    if (process.geteuid?.() === 0) lchownSync(staged, uid, gid);
    renameSync(staged, entryPath(folder, name));
  } finally {
    for (const { fd } of open) closeSync(fd);
  }
}

/** Applies the exact mode, independently of the umask. */
function writeNew(
  file: string,
  { content, mode }: { readonly content: Buffer; readonly mode: number },
): void {
  const fd = openSync(file, 'wx', 0o600);
  try {
    writeFileSync(fd, content);
    fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}

function openOrMake(parent: OpenDirectory | undefined, name: string): OpenDirectory {
  const above = parent?.folder ?? '';
  try {
    return openBelow(above, name);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    mkdirSync(entryPath(above, name), 0o755);
    const made = openBelow(above, name);
    const around = lstatSync(`${above}/.`);
    if (process.geteuid?.() === 0) chownFile(made.fd, around.uid, around.gid);
    return made;
  }
}

/** Opens a folder by one name in an open folder without following links, so no step leads out. */
function openBelow(folder: string, name: string): OpenDirectory {
  return openFolder(entryPath(folder, name));
}

function openFolder(at: string | Buffer): OpenDirectory {
  openClosed(at);
  const fd = openSync(at, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  return { fd, folder: `/proc/self/fd/${fd}`, relative: '' };
}

/** Deletes obstacles on a path. Returns the regular file at the path, else null. */
async function clearObstacles(root: string, { path: file, entry, whole }: SavedEntry): Promise<Stats | null> {
  const parts = file.split('/');
  const open: OpenDirectory[] = [openFolder(root)];
  try {
    for (const [index, name] of parts.entries()) {
      const parent = open.at(-1);
      if (parent === undefined) return null;
      const at = entryPath(parent.folder, name);
      const stats = lstatSync(at, { throwIfNoEntry: false });
      if (stats === undefined) return null;
      const isLast = index === parts.length - 1;
      if (!isLast && stats.isDirectory()) {
        open.push(openBelow(parent.folder, name));
        continue;
      }
      if (isLast && stats.isFile() && entry !== null && entry.mode !== '120000') return stats;
      await removeObstacle({ parent, name, isLast, isFolder: stats.isDirectory() }, { entry, whole });
      return null;
    }
    return null;
  } finally {
    for (const { fd } of open) closeSync(fd);
  }
}

async function removeObstacle(
  found: {
    readonly parent: OpenDirectory;
    readonly name: string;
    readonly isLast: boolean;
    readonly isFolder: boolean;
  },
  { entry, whole }: { readonly entry: SavedEntry['entry']; readonly whole: true | undefined },
): Promise<void> {
  if (found.isFolder) {
    // A folder in place of a file. For an absent path it holds others and stays.
    if (entry !== null || whole === true) await removeFolder(found.parent, found.name);
  } else if (found.isLast || entry !== null) {
    // A link or file above an absent path is not an obstacle.
    unlinkSync(entryPath(found.parent.folder, found.name));
  }
}

/** Moves a folder aside at once, then deletes it step by step without following links. */
async function removeFolder(parent: OpenDirectory, name: string): Promise<void> {
  const staging = openStagingFolder(parent);
  try {
    renameSync(entryPath(parent.folder, name), `${staging.folder}/old`);
    const old = `/proc/${process.pid}/fd/${staging.fd}/old`;
    // Folders in it may be closed to us.
    await runProgram('chmod', ['-R', 'u+rwX', '--', old]);
    await runProgram('rm', ['-rf', '--one-file-system', '--', old]);
  } finally {
    staging.close();
  }
}

/** True if git lacks the content, as in a partial clone. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('git cat-file ');
}
