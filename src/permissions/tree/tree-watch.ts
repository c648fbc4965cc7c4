import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { append } from '../../contract/lists.ts';
import { monotonicMs } from '../../contract/monotonic-ms.ts';
import { openClosed } from './open-closed.ts';
import { type FolderKind, type TreeEntry, type WatchedEntry, watchName } from './watch-name.ts';

/**
 * Finds the names that matter on the disk, whatever git ignores: ignored and sparse paths,
 * submodules, other repositories.
 */
export interface TreeWatch {
  /** Returns all of them, folders before their contents. Reads only changed folders. */
  scan(): Promise<readonly WatchedEntry[]>;
  /** The synchronous `scan`. Repeats the last result if it is at most this old. Default: 0. */
  scanNow(withinMs?: number): readonly WatchedEntry[];
  /**
   * Describes folders that the last scan could not read and in which a command may have created
   * names.
   */
  unseen(): readonly string[];
}

/** More than any real repository has. */
const mostFolders = 500_000;
/** A path of PATH_MAX bytes (limits.h) is too long for the system. Names have up to 255 bytes. */
const mostPathBytes = 4_096 - 257;
/** Maximum time before other work gets a turn. */
const sliceMs = 8;

interface Folder {
  readonly changed: number;
  /** False while a change in the same tick of the file system's clock could be missed. */
  readonly settled: boolean;
  readonly folders: readonly { readonly path: string; readonly folderKind: FolderKind }[];
  readonly entries: readonly WatchedEntry[];
}

const unread = { changed: 0, settled: false, folders: [], entries: [] };

const diskPathOf = (root: string, path: string) =>
  /^[\0-\x7f]*$/.test(path)
    ? `${root}/${path}`
    : Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);

/**
 * Watches the tree at `root`, a real path. Follows no link. A changed ctime (inode(7)), which no
 * command can set, marks a changed folder. Folders that a command closed are reopened (`chmod
 * u+rwx`), except those closed since the first scan.
 */
export function createTreeWatch(root: string, most = mostFolders): TreeWatch {
  const state: WatchState = {
    root,
    most,
    known: new Map(),
    first: true,
    last: null,
    unseen: [],
    leftClosed: new Map(),
  };
  return {
    unseen: () => state.unseen,
    scanNow(withinMs = 0) {
      const { last } = state;
      if (last !== null && monotonicMs() - last.at < withinMs) return last.found;
      const walk = steps(state);
      for (;;) {
        const { done, value } = walk.next();
        if (done === true) return value;
      }
    },
    async scan() {
      const walk = steps(state);
      let until = monotonicMs() + sliceMs;
      for (;;) {
        const { done, value } = walk.next();
        if (done === true) return value;
        if (monotonicMs() < until) continue;
        await nextTurn();
        until = monotonicMs() + sliceMs;
      }
    },
  };
}

/** The results of earlier scans. */
interface WatchState {
  readonly root: string;
  /** Maximum folders. */
  readonly most: number;
  known: Map<string, Folder>;
  /** True until the first scan has ended. */
  first: boolean;
  last: { readonly at: number; readonly found: readonly WatchedEntry[] } | null;
  unseen: readonly string[];
  /** Ctimes of folders closed at the first scan. */
  readonly leftClosed: Map<string, number>;
}

/** Scans the tree. Yields after each folder. */
function* steps(state: WatchState): Generator<void, readonly WatchedEntry[]> {
  const { known, most } = state;
  const seen = new Map<string, Folder>();
  const found: WatchedEntry[] = [];
  const missed: string[] = [];
  let isFull = false;
  const pending: { path: string; folderKind: FolderKind }[] = [{ path: '', folderKind: 'plain' }];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const folder = readFolder(state, at, known.get(at.path), missed);
    if (folder === null) continue;
    seen.set(at.path, folder);
    append(found, folder.entries);
    if (seen.size + pending.length < most) append(pending, folder.folders);
    else isFull ||= folder.folders.length > 0;
    yield;
  }
  if (isFull) missed.push(`all beyond ${most.toLocaleString('en')} folders`);
  Object.assign(state, { known: seen, unseen: missed, first: false, last: { at: monotonicMs(), found } });
  return found;
}

/** Reads a folder unless it is unchanged since `before`. Null if it was deleted. */
function readFolder(
  state: WatchState,
  { path, folderKind }: Folder['folders'][number],
  before: Folder | undefined,
  missed: string[],
): Folder | null {
  const { root, first, leftClosed } = state;
  if (Buffer.byteLength(root) + path.length > mostPathBytes) {
    missed.push(`\`${printablePath(path)}\` (too deep)`);
    return unread;
  }
  const at = diskPathOf(root, path);
  try {
    const stats = lstatSync(at);
    const { ctimeMs } = stats;
    if (!stats.isDirectory()) return null;
    if ((stats.mode & 0o500) !== 0o500) handleClosed(state, path, at, ctimeMs);
    if (before?.settled === true && before.changed === ctimeMs) return before;
    const now = Date.now();
    const tick = Number.isInteger(ctimeMs / 1000) ? 2_000 : 50;
    return { changed: ctimeMs, settled: ctimeMs < now - tick, ...namesIn(at, path, folderKind) };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (first) leftClosed.set(path, changeOf(at));
    else if (mayContainNew(at, leftClosed.get(path))) missed.push(`\`${printablePath(path)}\` (${code})`);
    return unread;
  }
}

/** Remembers a folder that is closed at the first scan; reopens one closed since. */
function handleClosed(
  { first, leftClosed }: WatchState,
  path: string,
  at: string | Buffer,
  changed: number,
): void {
  if (first) leftClosed.set(path, changed);
  else if (leftClosed.get(path) !== changed) openClosed(at);
}

function namesIn(
  at: string | Buffer,
  folder: string,
  folderKind: FolderKind,
): Pick<Folder, 'folders' | 'entries'> {
  const folders: { path: string; folderKind: FolderKind }[] = [];
  const entries: WatchedEntry[] = [];
  const all = list(at);
  const hasSibling = (name: string) => all.some((one) => one.name === name);
  for (const { name, kind } of all) {
    const path = folder === '' ? name : `${folder}/${name}`;
    const watched = watchName({ path, name, kind }, folderKind, hasSibling);
    if (watched.concern !== null) entries.push({ path, name, kind, concern: watched.concern });
    if (kind === 'directory' && watched.folderKind !== 'skipped')
      folders.push({ path, folderKind: watched.folderKind });
  }
  return { folders, entries };
}

function list(folder: string | Buffer): { readonly name: string; readonly kind: TreeEntry['kind'] }[] {
  const entries = readdirSync(folder, { withFileTypes: true, encoding: 'latin1' });
  return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
}

function kindOf(entry: Dirent): TreeEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/**
 * Returns false for a folder unchanged since the first scan, and for another user's that we cannot
 * write to.
 */
function mayContainNew(folder: string | Buffer, closedAt: number | undefined): boolean {
  try {
    const { uid, mode, ctimeMs } = lstatSync(folder);
    const isForeign = uid !== process.geteuid?.() && (mode & 0o022) === 0;
    return ctimeMs !== closedAt && !isForeign;
  } catch {
    return closedAt === undefined;
  }
}

/** Returns a folder's ctime, or -1 if unknown. */
function changeOf(folder: string | Buffer): number {
  try {
    return lstatSync(folder).ctimeMs;
  } catch {
    return -1;
  }
}

function printablePath(path: string): string {
  const text = Buffer.from(path, 'latin1').toString('utf8') || '.';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
