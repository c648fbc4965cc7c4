import { constants } from 'node:fs';
import { access, lstat, readdir, readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { append } from '../../contract/append.ts';
import { isOwnPath } from '../files/confine-path.ts';
import { errorCode } from '../files/open-confined.ts';
import { gitMode } from '../git/git-mode.ts';
import { type GitPlace, gitLine, runGit } from '../git/run-git.ts';
import { bytesOfName, nameOfBytes } from '../git/tree-names.ts';
import type { KeptEntry } from './put-back.ts';

/** What one file was left as by a write of ours, to be put into the index without a look at the tree. */
export interface KnownFile {
  readonly path: string;
  /** Null for a deleted file. */
  readonly content: Buffer | null;
  readonly mode: number;
}

/** Trees of the work tree as it is, in a git directory of our own. */
export interface Snapshots {
  /** Writes the work tree as it is now as a git tree and returns its name. Ignored files are left out. */
  take(): Promise<string>;
  /**
   * The tree of the last snapshot with these files as told: what the work tree was before something else.
   * Ignored ones are left out here too.
   */
  amend(files: readonly KnownFile[]): Promise<string>;
  /** The tree of the last snapshot with paths as told, whatever stands there: the next snapshot finds them changed. */
  without(entries: readonly KeptEntry[]): Promise<string>;
  /** Files that came or changed since the first snapshot, and are too large to be in the last one. */
  leftOut(): readonly string[];
}

/** What a snapshot takes up, in bytes: a file, and all files together that came or changed after the first one. */
export interface SnapshotLimits {
  readonly file: number;
  readonly total: number;
}

/**
 * A change is held in memory as text, twice over, and nobody reviews one of this size: a core dump or a sparse
 * file, which takes a command no time to make, must not cost a run all its other changes.
 */
const standardLimits: SnapshotLimits = { file: 32 * 1024 * 1024, total: 96 * 1024 * 1024 };

/** How often a snapshot is begun anew when the work tree changes under it. */
const ATTEMPTS = 3;

/** `stamp` changes with the content. */
interface Content {
  readonly size: number;
  readonly stamp: string;
}

/** Paths are handled byte by byte (Latin-1), since file names need not be UTF-8. */
const bytesOf = (text: string) => Buffer.from(text, 'latin1');

/** How a path stands; null for submodules, and what we may not read, which stay as the index has them. */
async function look(root: string, file: string): Promise<Content | 'gone' | null> {
  const full = Buffer.concat([Buffer.from(`${root}/`), bytesOf(file)]);
  try {
    const stats = await lstat(full);
    const content = { size: stats.size, stamp: `${stats.size} ${stats.ctimeMs}` };
    if (stats.isSymbolicLink()) return content;
    if (stats.isFile()) {
      await access(full, constants.R_OK);
      return content;
    }
    if (!stats.isDirectory()) return 'gone';
    await lstat(Buffer.concat([full, Buffer.from('/.git')]));
    return null;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'gone';
    if (code === 'EACCES' || code === 'ENAMETOOLONG') return null;
    throw error;
  }
}

/** Files of a repository inside the repository, which git would only note by its commit, if it has one. */
async function nestedFiles(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  const full = Buffer.concat([Buffer.from(`${root}/`), bytesOf(folder)]);
  const entries = await readdir(full, { withFileTypes: true, encoding: 'buffer' }).catch((error: unknown) => {
    // Gone since, not ours to read, or below a path longer than any (PATH_MAX): git passes such a folder over too.
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ENAMETOOLONG'].includes(errorCode(error) ?? '')) return [];
    throw error;
  });
  for (const entry of entries) {
    const name = entry.name.toString('latin1');
    const below = path.join(folder, name);
    if (name.toLowerCase() === '.git') continue;
    if (entry.isDirectory()) append(found, await nestedFiles(root, below));
    else if (entry.isFile() || entry.isSymbolicLink()) found.push(below);
  }
  return found;
}

const list = (paths: readonly string[]) => bytesOf(paths.map((one) => `${one}\0`).join(''));

/**
 * Snapshots of the work tree at `place`, whose git directory and index are ours alone. Costs one `git
 * ls-files` where nothing changed. `git add` is not used: it asks repositories nested in a hostile tree for
 * their state, with their settings. Submodules stay at the commit the index has; files of any other nested
 * repository count as files. Files beyond `limits` stay as the index has them.
 */
export function createSnapshots(
  place: Required<Omit<GitPlace, 'indexFile'>>,
  limits: SnapshotLimits = standardLimits,
): Snapshots {
  let tree: string | null = null;
  let changed = false;
  /** Sizes of what came or changed after the first snapshot. */
  const sizes = new Map<string, number>();
  let total = 0;
  /** Too large files and their stamps: now, and at the first snapshot. */
  let tooLarge = new Map<string, string>();
  let largeAtFirst = tooLarge;

  async function changedPaths(): Promise<{ present: string[]; gone: string[] }> {
    const args = ['ls-files', '-z', '-t', '--modified', '--deleted', '--others', '--exclude-standard'];
    // Paths that a merge left in conflict have no single entry to compare with.
    if (tree === null) args.push('--unmerged');
    const { stdout } = await runGit(args, place);
    const present = new Set<string>();
    const gone = new Set<string>();
    tooLarge = new Map();
    const forget = (file: string) => {
      total -= sizes.get(file) ?? 0;
      sizes.delete(file);
    };
    const add = (file: string, { size, stamp }: Content) => {
      forget(file);
      if (size > limits.file || total + size > limits.total) {
        tooLarge.set(file, stamp);
        return;
      }
      present.add(file);
      // What lay there before the run is no change of it, however much it is.
      if (tree === null) return;
      sizes.set(file, size);
      total += size;
    };
    for (const line of stdout.toString('latin1').split('\0')) {
      const other = line.startsWith('? ');
      // With --unmerged, mode, object and stage stand before the names of tracked files.
      const named = line.slice(2).replace(other || tree !== null ? '' : /^\d{6} [0-9a-f]+ \d\t/, '');
      if (named === '' || isOwnPath(named)) continue;
      if (other && named.endsWith('/')) {
        const nested = await nestedFiles(place.workTree, named);
        const skipped = await ignored(nested);
        for (const file of nested) {
          const found = skipped.has(file) ? null : await look(place.workTree, file);
          if (found !== null && found !== 'gone') add(file, found);
        }
        continue;
      }
      const now = await look(place.workTree, named);
      if (now === null) continue;
      if (now !== 'gone') add(named, now);
      else {
        gone.add(named);
        forget(named);
      }
    }
    if (tree === null) largeAtFirst = tooLarge;
    return { present: [...present], gone: [...gone] };
  }

  async function writeTree(): Promise<string> {
    // In a partial clone not every object is here; none of ours is missing.
    tree = await gitLine(['write-tree', '--missing-ok'], place);
    changed = false;
    return tree;
  }

  async function remove(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    await runGit(['update-index', '--force-remove', '-z', '--stdin'], { ...place, stdin: list(paths) });
  }

  /** Puts paths into the index by the names of their objects. */
  async function putIn(
    files: readonly { readonly mode: string; readonly object: string; readonly name: string }[],
  ): Promise<void> {
    if (files.length === 0) return;
    const args = ['update-index', '--add', '--replace', '-z', '--index-info'];
    const lines = files.map(({ mode, object, name }) => `${mode} ${object}\t${name}`);
    await runGit(args, { ...place, stdin: list(lines) });
  }

  /** Brings the index up to the work tree, in groups of paths. Returns the paths of groups that git gave up on. */
  async function update(
    grouped: (paths: readonly string[]) => readonly string[][],
  ): Promise<readonly string[]> {
    const { present, gone } = await changedPaths();
    await remove(gone);
    changed ||= present.length + gone.length > 0;
    const untaken: string[] = [];
    for (const group of grouped(present)) {
      const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
      // 128: something that still runs took a file away between the look and the reading.
      const { exitCode } = await runGit(args, { ...place, stdin: list(group), accept: [128] });
      if (exitCode !== 0) append(untaken, group);
    }
    return untaken;
  }

  /** Throws git's error where it cannot take the content of a file that is there to be read, as on a full disk. */
  async function refuseUntaken(file: string): Promise<void> {
    const full = Buffer.concat([Buffer.from(`${place.workTree}/`), bytesOf(file)]);
    const info = await lstat(full).catch(() => null);
    if (info?.isFile() !== true) return;
    const stdin = await readFile(full).catch(() => null);
    if (stdin !== null) await runGit(['hash-object', '-w', '--no-filters', '--stdin'], { ...place, stdin });
  }

  async function writeIfChanged(): Promise<string> {
    return tree !== null && !changed ? tree : writeTree();
  }

  /**
   * Those of the paths that git ignores and does not have, and those that it does not judge: behind a link, in a submodule. It
   * gives up on all (128) because of one, so they are asked about in halves; `starts` bounds how often.
   */
  async function ignored(paths: readonly string[], starts = { left: 200 }): Promise<Set<string>> {
    if (paths.length === 0) return new Set();
    starts.left -= 1;
    // A colon in front would be magic (gitglossary(7), "pathspec").
    const stdin = list(paths.map((one) => `./${one}`));
    const asked = ['check-ignore', '-z', '--stdin'];
    const { exitCode, stdout } = await runGit(asked, { ...place, stdin, accept: [1, 128] });
    if (exitCode !== 128)
      return new Set(
        stdout
          .toString('latin1')
          .split('\0')
          .map((one) => one.slice(2)),
      );
    if (paths.length === 1 || starts.left <= 0) return new Set(paths);
    const middle = Math.ceil(paths.length / 2);
    const first = await ignored(paths.slice(0, middle), starts);
    return new Set([...first, ...(await ignored(paths.slice(middle), starts))]);
  }

  return {
    leftOut: () =>
      [...tooLarge]
        .filter(([file, stamp]) => largeAtFirst.get(file) !== stamp)
        .map(([file]) => nameOfBytes(file)),

    async take() {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const untaken = await update((paths) => (paths.length === 0 ? [] : [[...paths]]));
        if (untaken.length === 0) return writeIfChanged();
      }
      // One by one, so that only what will not hold still waits for the next look.
      for (const file of await update((paths) => paths.map((one) => [one]))) await refuseUntaken(file);
      return writeIfChanged();
    },

    async without(entries) {
      const raw = entries.map(({ path: file, entry }) => ({
        entry,
        name: bytesOfName(file).toString('latin1'),
      }));
      await remove(raw.map(({ name }) => name));
      await putIn(
        raw.flatMap(({ entry, name }) =>
          entry === null || !('object' in entry) ? [] : [{ ...entry, name }],
        ),
      );
      return writeTree();
    },

    async amend(files) {
      const raw = files.map((file) => ({ ...file, raw: Buffer.from(file.path).toString('latin1') }));
      await remove(raw.filter(({ content }) => content === null).map((file) => file.raw));
      const skipped = await ignored(raw.map((file) => file.raw));
      const written: { mode: string; object: string; name: string }[] = [];
      for (const { content, path: file, mode, raw: name } of raw) {
        if (content === null || skipped.has(name)) continue;
        // By its path, so that line endings are converted as git does for the file itself.
        const args = ['hash-object', '-w', `--path=${file}`, '--stdin'];
        const object = await gitLine(args, { ...place, stdin: content });
        written.push({ mode: gitMode(mode), object, name });
      }
      await putIn(written);
      return writeTree();
    },
  };
}
