import { constants } from 'node:fs';
import { access, lstat, readdir, readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { append } from '../../contract/lists.ts';
import { isOwnPath } from '../files/confine-path.ts';
import { errorCode } from '../files/open-confined.ts';
import { gitMode } from '../git/git-mode.ts';
import { type GitLocation, gitLine, runGit } from '../git/run-git.ts';
import { bytesOfName, nameOfBytes } from '../git/tree-names.ts';
import type { SavedEntry } from './restore-entries.ts';

/** Result of one of our writes, added to the index without reading the tree. */
export interface KnownFile {
  readonly path: string;
  /** Null for a deleted file. */
  readonly content: Buffer | null;
  readonly mode: number;
}

/** Snapshots of the work tree, in a git directory of our own. */
export interface Snapshots {
  /** Writes the work tree as a git tree and returns its name. Ignored files are omitted. */
  take(): Promise<string>;
  /** Tree of the last snapshot with these files added. Ignored files are omitted here too. */
  amend(files: readonly KnownFile[]): Promise<string>;
  /**
   * Tree of the last snapshot with these entries, whatever the disk has. The next snapshot finds
   * them changed.
   */
  without(entries: readonly SavedEntry[]): Promise<string>;
  /** Files added or changed since the first snapshot that are too large for the last one. */
  omitted(): readonly string[];
}

/** Size limits in bytes: per file, and for all files added or changed after the first snapshot. */
export interface SnapshotLimits {
  readonly file: number;
  readonly total: number;
}

/**
 * A change is stored in memory as text, twice, and no one reviews one of this size. A core dump or
 * a sparse file must not cost a run all its other changes.
 */
const standardLimits: SnapshotLimits = { file: 32 * 1024 * 1024, total: 96 * 1024 * 1024 };

/** Attempts per snapshot while the work tree changes. */
const ATTEMPTS = 3;

/** `stamp` changes with the content. */
interface Content {
  readonly size: number;
  readonly stamp: string;
}

/** Paths are handled as bytes (Latin-1), since file names need not be UTF-8. */
const bytesOf = (text: string) => Buffer.from(text, 'latin1');

/** State of a path; null for submodules and unreadable files, which stay as in the index. */
async function stateOf(root: string, file: string): Promise<Content | 'gone' | null> {
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

/** Files of a nested repository, which git would record only by its commit, if any. */
async function nestedFiles(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  const full = Buffer.concat([Buffer.from(`${root}/`), bytesOf(folder)]);
  const entries = await readdir(full, { withFileTypes: true, encoding: 'buffer' }).catch((error: unknown) => {
    // Missing, unreadable, or longer than PATH_MAX: git skips such a folder too.
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
 * Snapshots of the work tree at `git`, whose git directory and index only we use. Costs one
 * `git ls-files` if nothing changed. `git add` is not used: it asks nested repositories of a
 * hostile tree for their state, with their settings. Submodules stay at the commit of the index;
 * files of other nested repositories count as files. Files beyond `limits` stay as in the index.
 */
export function createSnapshots(git: TreeLocation, limits: SnapshotLimits = standardLimits): Snapshots {
  let tree: string | null = null;
  let changed = false;
  const sizes = trackSizes(limits);

  async function writeTree(): Promise<string> {
    // A partial clone lacks objects; none of ours is missing.
    tree = await gitLine(['write-tree', '--missing-ok'], git);
    changed = false;
    return tree;
  }

  /**
   * Updates the index from the work tree in groups of paths. Returns the paths of failed groups.
   */
  async function update(
    grouped: (paths: readonly string[]) => readonly string[][],
  ): Promise<readonly string[]> {
    const isFirst = tree === null;
    const { treeBefore, present, gone } = await changedPaths(git, sizes, isFirst);
    // Usually the first index has all.
    if (treeBefore !== '' && present.length + gone.length === 0) tree = treeBefore;
    if (isFirst) sizes.endFirst();
    await removeFromIndex(git, gone);
    changed ||= present.length + gone.length > 0;
    return takeIntoIndex(git, grouped(present));
  }

  async function writeIfChanged(): Promise<string> {
    return tree !== null && !changed ? tree : writeTree();
  }

  return {
    omitted: () => sizes.omitted(),

    async take() {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const untaken = await update((paths) => (paths.length === 0 ? [] : [[...paths]]));
        if (untaken.length === 0) return writeIfChanged();
      }
      // One by one, so that only files that keep changing wait for the next scan.
      for (const file of await update((paths) => paths.map((one) => [one]))) await refuseUntaken(git, file);
      return writeIfChanged();
    },

    async without(entries) {
      await replaceEntries(git, entries);
      return writeTree();
    },

    async amend(files) {
      const raw = files.map((file) => ({ ...file, name: Buffer.from(file.path).toString('latin1') }));
      const gone = raw.filter(({ content }) => content === null);
      await removeFromIndex(
        git,
        gone.map(({ name }) => name),
      );
      await addToIndex(git, await writeObjects(git, raw));
      return writeTree();
    },
  };
}

type TreeLocation = Required<Omit<GitLocation, 'indexFile'>>;
type SizeTracker = ReturnType<typeof trackSizes>;

/** Applies the size limits to the files of successive snapshots. */
function trackSizes(limits: SnapshotLimits) {
  /** Sizes of files added or changed after the first snapshot. */
  const sizes = new Map<string, number>();
  let total = 0;
  /** Stamps of files beyond the limits: now, and at the first snapshot. */
  let tooLarge = new Map<string, string>();
  let largeAtFirst = tooLarge;
  const forget = (file: string) => {
    total -= sizes.get(file) ?? 0;
    sizes.delete(file);
  };
  return {
    begin() {
      tooLarge = new Map();
    },
    endFirst() {
      largeAtFirst = tooLarge;
    },
    forget,
    /** True if a file fits the limits. */
    takes(file: string, { size, stamp }: Content, isFirst: boolean): boolean {
      forget(file);
      if (size > limits.file || total + size > limits.total) {
        tooLarge.set(file, stamp);
        return false;
      }
      // Files from before the run are not its changes, whatever their size.
      if (!isFirst) {
        sizes.set(file, size);
        total += size;
      }
      return true;
    },
    omitted: () =>
      [...tooLarge]
        .filter(([file, stamp]) => largeAtFirst.get(file) !== stamp)
        .map(([file]) => nameOfBytes(file)),
  };
}

/**
 * Lists what differs from the index, in lines of `git ls-files -t`. `treeBefore` is the tree of the
 * first index; '' for a later one, or if it has none.
 */
async function differences(
  git: TreeLocation,
  isFirst: boolean,
): Promise<{ treeBefore: string; lines: string[] }> {
  const args = ['ls-files', '-z', '-t', '--modified', '--deleted', '--others', '--exclude-standard'];
  // Paths in conflict after a merge have no single entry to compare with.
  if (isFirst) args.push('--unmerged');
  const { stdout } = await runGit(args, { ...git, treeFirst: isFirst });
  const lines = stdout.toString('latin1').split('\0');
  return { treeBefore: isFirst ? (lines.shift() ?? '').trim() : '', lines };
}

async function changedPaths(
  git: TreeLocation,
  sizes: SizeTracker,
  isFirst: boolean,
): Promise<{ treeBefore: string; present: string[]; gone: string[] }> {
  const { treeBefore, lines } = await differences(git, isFirst);
  const present = new Set<string>();
  const gone = new Set<string>();
  const add = (file: string, content: Content) => {
    if (sizes.takes(file, content, isFirst)) present.add(file);
  };
  sizes.begin();
  for (const line of lines) {
    const name = nameIn(line, isFirst);
    if (name === '' || isOwnPath(name)) continue;
    if (line.startsWith('? ') && name.endsWith('/')) {
      for await (const [file, content] of nestedContents(git, name)) add(file, content);
      continue;
    }
    const now = await stateOf(git.workTree, name);
    if (now === 'gone') {
      gone.add(name);
      sizes.forget(name);
    } else if (now !== null) add(name, now);
  }
  return { treeBefore, present: [...present], gone: [...gone] };
}

/** Name in a line of `git ls-files -t`; '' for none. */
function nameIn(line: string, isFirst: boolean): string {
  const name = line.slice(2);
  // With --unmerged, mode, object and stage precede the names of tracked files.
  return line.startsWith('? ') || !isFirst ? name : name.replace(/^\d{6} [0-9a-f]+ \d\t/, '');
}

/** Finds the files of a nested repository that are not ignored. */
async function* nestedContents(git: TreeLocation, folder: string): AsyncGenerator<[string, Content]> {
  const nested = await nestedFiles(git.workTree, folder);
  const skipped = await ignored(git, nested);
  for (const file of nested) {
    const found = skipped.has(file) ? null : await stateOf(git.workTree, file);
    if (found !== null && found !== 'gone') yield [file, found];
  }
}

async function removeFromIndex(git: TreeLocation, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await runGit(['update-index', '--force-remove', '-z', '--stdin'], { ...git, stdin: list(paths) });
}

/** Adds files in groups from the work tree. Returns the paths of failed groups. */
async function takeIntoIndex(
  git: TreeLocation,
  groups: readonly (readonly string[])[],
): Promise<readonly string[]> {
  const untaken: string[] = [];
  for (const group of groups) {
    const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
    // 128: a running process deleted a file between the look and the read.
    const { exitCode } = await runGit(args, { ...git, stdin: list(group), accept: [128] });
    if (exitCode !== 0) append(untaken, group);
  }
  return untaken;
}

interface IndexEntry {
  readonly mode: string;
  readonly object: string;
  readonly name: string;
}

/** Adds paths to the index by their object names. */
async function addToIndex(git: TreeLocation, files: readonly IndexEntry[]): Promise<void> {
  if (files.length === 0) return;
  const args = ['update-index', '--add', '--replace', '-z', '--index-info'];
  const lines = files.map(({ mode, object, name }) => `${mode} ${object}\t${name}`);
  await runGit(args, { ...git, stdin: list(lines) });
}

/** Replaces paths in the index by saved entries. */
async function replaceEntries(git: TreeLocation, entries: readonly SavedEntry[]): Promise<void> {
  const named = entries.map(({ path: file, entry }) => ({
    entry,
    name: bytesOfName(file).toString('latin1'),
  }));
  await removeFromIndex(
    git,
    named.map(({ name }) => name),
  );
  await addToIndex(
    git,
    named.flatMap(({ entry, name }) => (entry === null || !('object' in entry) ? [] : [{ ...entry, name }])),
  );
}

/** Stores the contents of files that are not ignored. */
async function writeObjects(
  git: TreeLocation,
  files: readonly (KnownFile & { readonly name: string })[],
): Promise<IndexEntry[]> {
  const skipped = await ignored(
    git,
    files.map(({ name }) => name),
  );
  const written: IndexEntry[] = [];
  for (const { content, path: file, mode, name } of files) {
    if (content === null || skipped.has(name)) continue;
    // With its path, so that line endings are converted as git does for the file.
    const args = ['hash-object', '-w', `--path=${file}`, '--stdin'];
    const object = await gitLine(args, { ...git, stdin: content });
    written.push({ mode: gitMode(mode), object, name });
  }
  return written;
}

/** Throws git's error if it cannot store a readable file, as on a full disk. */
async function refuseUntaken(git: TreeLocation, file: string): Promise<void> {
  const full = Buffer.concat([Buffer.from(`${git.workTree}/`), bytesOf(file)]);
  const info = await lstat(full).catch(() => null);
  if (info?.isFile() !== true) return;
  const stdin = await readFile(full).catch(() => null);
  if (stdin !== null) await runGit(['hash-object', '-w', '--no-filters', '--stdin'], { ...git, stdin });
}

/**
 * Returns the paths that git ignores and does not track, and those it cannot tell (behind a link,
 * in a submodule). One such path fails the whole call (128), so the paths are halved. `starts`
 * bounds the number of calls.
 */
async function ignored(
  git: TreeLocation,
  paths: readonly string[],
  starts = { left: 200 },
): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  starts.left -= 1;
  // A leading colon would be magic (gitglossary(7), "pathspec").
  const stdin = list(paths.map((one) => `./${one}`));
  const args = ['check-ignore', '-z', '--stdin'];
  const { exitCode, stdout } = await runGit(args, { ...git, stdin, accept: [1, 128] });
  if (exitCode !== 128) {
    const found = stdout.toString('latin1').split('\0');
    return new Set(found.map((one) => one.slice(2)));
  }
  if (paths.length === 1 || starts.left <= 0) return new Set(paths);
  const middle = Math.ceil(paths.length / 2);
  const first = await ignored(git, paths.slice(0, middle), starts);
  return new Set([...first, ...(await ignored(git, paths.slice(middle), starts))]);
}
