import { chmodSync, closeSync, constants, lstatSync, openSync, readdirSync, type Stats } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Concern, type Place, type TreeEntry, watchName } from './watch-name.ts';

/** A name in the work tree that matters, as it stood when it was last looked at. */
export interface WatchedEntry extends TreeEntry {
  readonly concern: Exclude<Concern, null>;
}

/** Finds the names that matter on the disk, whatever git is told of them: ignored, sparse, in submodules, in other repositories. */
export interface TreeWatch {
  /** All of them, folders before what is in them. Reads only folders that changed since the look before. */
  look(): Promise<readonly WatchedEntry[]>;
  /** As `look`, at once: for a look soon after another, whose answer is given again within so many milliseconds. */
  lookNow(withinMs?: number): readonly WatchedEntry[];
}

/** No repository has as many folders; what a command made beyond that is not looked into. */
const mostFolders = 500_000;
/** For so long others wait at most. */
const sliceMs = 8;

interface Folder {
  readonly changed: number;
  /** False while a change in the same tick of the file system's clock would not be seen. */
  readonly settled: boolean;
  readonly folders: readonly { readonly path: string; readonly place: Place }[];
  readonly entries: readonly WatchedEntry[];
}

const toDisk = (root: string, path: string) =>
  /^[\0-\x7f]*$/.test(path)
    ? `${root}/${path}`
    : Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);

/**
 * Watches the tree at `root`, a real path. No link is followed. A folder counts as changed when its ctime did (inode(7)), which no
 * command can set. Protected folders that a command left unreadable to us are opened again (`chmod u+rwx`), but for those that stood so at the first look.
 */
export function createTreeWatch(root: string): TreeWatch {
  let known = new Map<string, Folder>();
  let first = true;
  let last: { readonly at: number; readonly found: readonly WatchedEntry[] } | null = null;
  const leftClosed = new Set<string>();

  function statOf(path: string): Stats | null {
    try {
      const stats = lstatSync(toDisk(root, path), { throwIfNoEntry: false });
      return stats?.isDirectory() ? stats : null;
    } catch {
      return null;
    }
  }

  /** Gives us back a protected folder that we own and cannot read. */
  function open(path: string, mode: number): void {
    if ((mode & 0o700) === 0o700 || leftClosed.has(path)) return;
    if (first) {
      leftClosed.add(path);
      return;
    }
    try {
      const descriptor = openSync(
        toDisk(root, path),
        pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW,
      );
      try {
        chmodSync(`/proc/self/fd/${descriptor}`, (mode & 0o777) | 0o700);
      } finally {
        closeSync(descriptor);
      }
    } catch {
      // It is another user's, or gone.
    }
  }

  function readFolder(path: string, place: Place, before: Folder | undefined): Folder | null {
    const stats = statOf(path);
    if (stats === null) return null;
    if (place === 'protected' || place === 'git') open(path, stats.mode);
    const { ctimeMs } = stats;
    if (before?.settled === true && before.changed === ctimeMs) return before;
    const now = Date.now();
    const tick = Number.isInteger(ctimeMs / 1000) ? 2_000 : 50;
    const found = { changed: ctimeMs, settled: ctimeMs < now - tick };
    return { ...found, ...namesIn(path, place) };
  }

  function namesIn(folder: string, place: Place): Pick<Folder, 'folders' | 'entries'> {
    const folders: { path: string; place: Place }[] = [];
    const entries: WatchedEntry[] = [];
    const all = list(toDisk(root, folder));
    const hasSibling = (name: string) => all.some((one) => one.name === name);
    for (const { name, kind } of all) {
      const path = folder === '' ? name : `${folder}/${name}`;
      const watched = watchName({ path, name, kind }, place, hasSibling);
      if (watched.concern !== null) entries.push({ path, name, kind, concern: watched.concern });
      if (kind === 'directory' && watched.place !== 'skipped') folders.push({ path, place: watched.place });
    }
    return { folders, entries };
  }

  /** Pauses after each folder. */
  function* steps(): Generator<void, readonly WatchedEntry[]> {
    const seen = new Map<string, Folder>();
    const found: WatchedEntry[] = [];
    const pending: { path: string; place: Place }[] = [{ path: '', place: 'plain' }];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      const folder = readFolder(at.path, at.place, known.get(at.path));
      if (folder === null) continue;
      seen.set(at.path, folder);
      for (const entry of folder.entries) found.push(entry);
      if (seen.size + pending.length < mostFolders) for (const one of folder.folders) pending.push(one);
      yield;
    }
    known = seen;
    first = false;
    last = { at: performance.now(), found };
    return found;
  }

  return {
    lookNow(withinMs = 0) {
      if (last !== null && performance.now() - last.at < withinMs) return last.found;
      const walk = steps();
      for (;;) {
        const { done, value } = walk.next();
        if (done === true) return value;
      }
    },
    async look() {
      const walk = steps();
      let until = performance.now() + sliceMs;
      for (;;) {
        const { done, value } = walk.next();
        if (done === true) return value;
        if (performance.now() < until) continue;
        await nextTurn();
        until = performance.now() + sliceMs;
      }
    },
  };
}

/** open(2), O_PATH: a descriptor of a folder that may not be read. */
const pathOnly = 0o10000000;

function list(folder: string | Buffer): { readonly name: string; readonly kind: TreeEntry['kind'] }[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true, encoding: 'latin1' });
    return entries.map((entry) => ({
      name: entry.name,
      kind: entry.isFile()
        ? 'file'
        : entry.isDirectory()
          ? 'directory'
          : entry.isSymbolicLink()
            ? 'link'
            : 'other',
    }));
  } catch {
    // It went, or may not be read; git lists nothing in it either.
    return [];
  }
}
