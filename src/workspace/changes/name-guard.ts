import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  type Stats,
  statSync,
} from 'node:fs';
import { ConfigError } from '../../contract/errors.ts';
import { type ProtectedLink, protectedLinks } from '../../permissions/tree/protected-links.ts';
import type { TreeWatch } from '../../permissions/tree/tree-watch.ts';
import { mayMatter, type WatchedEntry } from '../../permissions/tree/watch-name.ts';
import { gitMode } from '../git/git-mode.ts';
import { entryPath, nameOfBytes, printableName } from '../git/tree-names.ts';
import type { SavedEntry } from './restore-entries.ts';

/** A sensitive name whose state differs from the accepted one. */
export interface NameChange {
  readonly path: string;
  readonly kind: 'add' | 'modify' | 'delete';
  /** Reason, in words, why a rule file must not be opened; null for a protected name. */
  readonly odd: string | null;
  /** True if the name is a link now. */
  readonly link: boolean;
  /** Entry that restores it; null if the previous state is unknown, as for a very large file. */
  readonly before: SavedEntry | null;
}

/** Tracks the state of sensitive names on the disk, independently of git. */
export interface NameGuard {
  /**
   * Records the current state. Throws `ConfigError` for a rule file that git would wait for
   * endlessly.
   */
  begin(): Promise<void>;
  /** Returns the differences from the recorded state. */
  scan(): Promise<readonly NameChange[]>;
  /** Records the state of the last look, except for these paths and what is below them. */
  accept(except?: ReadonlySet<string>): void;
  /** Records the current state of these paths. */
  adopt(paths: readonly string[]): Promise<void>;
  /** Targets of the links that the last look found under sensitive names, as paths in the tree. */
  links(): readonly ProtectedLink[];
  /** Rules of the `.gitattributes` files, by the folder each applies to. */
  attributes(): readonly { readonly folder: string; readonly text: string }[];
}

/** Content limits per file and in total. Beyond them only the fact of a change is known. */
const mostBytes = 1024 * 1024;
const mostBytesInAll = 32 * 1024 * 1024;
/** Size limit of rule files; each rule is matched against each path. */
const mostRuleBytes = 256 * 1024;

interface State {
  readonly entry: WatchedEntry;
  /** Changes whenever the content may have changed. */
  readonly stamp: string;
  readonly mode: number;
  /** Bytes of a file or target of a link; null for others, and beyond the limits. */
  readonly content: Buffer | null;
}

/** Guards the sensitive names that `watch` finds below `root`. */
export function createNameGuard(root: string, watch: TreeWatch): NameGuard {
  let accepted = new Map<string, State>();
  let last = accepted;

  async function states(): Promise<Map<string, State>> {
    const found = new Map<string, State>();
    let budget = [...accepted.values()].reduce((left, { content }) => left - sizeOf(content), mostBytesInAll);
    for (const entry of await watch.scan()) {
      if (entry.concern === 'credential') continue;
      const before = accepted.get(entry.path);
      const state = stateOf(diskPathOf(root, entry), entry, before, budget);
      if (state === null) continue;
      if (state !== before) budget -= sizeOf(state.content);
      found.set(entry.path, state);
    }
    return found;
  }

  function remember(isTaken: (name: string) => boolean): void {
    const next = new Map<string, State>();
    for (const [path, state] of last) if (isTaken(nameOfBytes(path))) next.set(path, state);
    for (const [path, state] of accepted) if (!isTaken(nameOfBytes(path))) next.set(path, state);
    accepted = next;
  }

  return {
    async begin() {
      accepted = await states();
      last = accepted;
      refuseUnusable(root, watch, accepted);
    },
    async scan() {
      last = await states();
      return [...changedNames(root, accepted, last), ...deletedNames(accepted, last)];
    },
    accept(except = new Set()) {
      remember((name) => ![...except].some((one) => name === one || name.startsWith(`${one}/`)));
    },
    async adopt(paths) {
      if (!paths.some((path) => path.split('/').some(mayMatter))) return;
      last = await states();
      const adopted = new Set(paths);
      remember((name) => adopted.has(name));
    },
    links() {
      const entries = [...last.values()].map(({ entry }) => entry);
      return protectedLinks(root, entries);
    },
    attributes: () =>
      [...accepted.values()].filter(isAttributes).map(({ entry, content }) => ({
        folder: nameOfBytes(entry.path).split('/').slice(0, -1).join('/'),
        text: String(content),
      })),
  };
}

const diskPathOf = (root: string, entry: WatchedEntry) => entryPath(root, nameOfBytes(entry.path));

/** `budget` is the number of bytes that may still be stored. */
function stateOf(
  diskPath: string | Buffer,
  entry: WatchedEntry,
  before: State | undefined,
  budget: number,
): State | null {
  const stats = statOf(diskPath);
  if (stats === null) return null;
  // The time of a folder changes with its entries.
  const stamp =
    entry.kind === 'directory' ? 'folder' : `${stats.ino} ${stats.size} ${stats.ctimeMs} ${stats.mode}`;
  if (before?.stamp === stamp) return before;
  return { entry, stamp, mode: stats.mode, content: contentOf(diskPath, entry, budget) };
}

function contentOf(diskPath: string | Buffer, entry: WatchedEntry, budget: number): Buffer | null {
  if (entry.kind === 'link') return linkTarget(diskPath);
  return entry.kind === 'file' ? readFile(diskPath, Math.min(mostBytes, budget)) : null;
}

/** Throws `ConfigError` for folders that cannot be searched, and rule files that block git. */
function refuseUnusable(root: string, watch: TreeWatch, accepted: ReadonlyMap<string, State>): void {
  const [missed] = watch.unseen();
  if (missed !== undefined)
    throw new ConfigError(
      `No names that matter can be found in ${missed}. Remove what is not needed from the checkout.`,
    );
  for (const state of accepted.values()) {
    const odd = oddity(root, state);
    if (odd === null || state.entry.kind === 'file') continue;
    const path = printableName(nameOfBytes(state.entry.path));
    throw new ConfigError(`\`${path}\` ${odd}. Git would wait for it without end; remove it.`, {
      file: path,
    });
  }
}

/** Returns why a rule file must not be opened; null if it may be. */
function oddity(root: string, { entry }: State): string | null {
  if (entry.concern !== 'rules') return null;
  const stats = statOf(diskPathOf(root, entry), statSync);
  if (stats === null) return null;
  if (!stats.isFile()) return `is no file but ${kindOfMode(stats.mode)}`;
  return stats.size > mostRuleBytes ? `has ${stats.size} bytes, more than rules have` : null;
}

function changedNames(
  root: string,
  accepted: ReadonlyMap<string, State>,
  now: ReadonlyMap<string, State>,
): NameChange[] {
  const changes: NameChange[] = [];
  for (const [path, state] of now) {
    const before = accepted.get(path);
    if (before === state) continue;
    const odd = oddity(root, state);
    if (state.entry.concern === 'rules' && odd === null) continue;
    if (before === undefined ? isEmptyFolder(path, state, now) : sameAs(before, state)) continue;
    changes.push({
      path: nameOfBytes(path),
      kind: before === undefined ? 'add' : 'modify',
      odd,
      link: state.entry.kind === 'link',
      before: entryOf(path, before),
    });
  }
  return changes;
}

/** True for a new folder without sensitive names: reverted changes leave empty folders behind. */
function isEmptyFolder(path: string, { entry }: State, now: ReadonlyMap<string, State>): boolean {
  return entry.kind === 'directory' && ![...now.keys()].some((one) => one.startsWith(`${path}/`));
}

function deletedNames(accepted: ReadonlyMap<string, State>, now: ReadonlyMap<string, State>): NameChange[] {
  return [...accepted]
    .filter(
      ([path, { entry }]) => entry.concern === 'protected' && entry.kind !== 'directory' && !now.has(path),
    )
    .map(([path, before]) => ({
      path: nameOfBytes(path),
      kind: 'delete',
      odd: null,
      link: false,
      before: entryOf(path, before),
    }));
}

function isAttributes({ entry, content }: State): boolean {
  return entry.name === '.gitattributes' && entry.kind === 'file' && content !== null;
}

function sameAs(before: State, now: State): boolean {
  if (before.entry.kind !== now.entry.kind || before.mode !== now.mode) return false;
  return before.content !== null && now.content !== null && before.content.equals(now.content);
}

function entryOf(path: string, before: State | undefined): SavedEntry | null {
  const name = nameOfBytes(path);
  if (before === undefined || before.entry.kind === 'directory')
    return { path: name, entry: null, whole: true };
  const { content, mode, entry } = before;
  if (content === null) return null;
  return {
    path: name,
    entry: { mode: entry.kind === 'link' ? '120000' : gitMode(mode), content },
    permissions: mode & 0o777,
  };
}

function kindOfMode(mode: number): string {
  const kinds: Readonly<Record<number, string>> = {
    [constants.S_IFIFO]: 'a FIFO',
    [constants.S_IFSOCK]: 'a socket',
    [constants.S_IFDIR]: 'a folder',
  };
  return kinds[mode & constants.S_IFMT] ?? 'a device';
}

function statOf(path: string | Buffer, stat: (path: string | Buffer) => Stats = lstatSync): Stats | null {
  try {
    return stat(path);
  } catch {
    return null;
  }
}

function sizeOf(content: Buffer | null): number {
  return content === null ? 0 : content.length;
}

function linkTarget(path: string | Buffer): Buffer | null {
  try {
    return readlinkSync(path, { encoding: 'buffer' });
  } catch {
    return null;
  }
}

/**
 * Reads a regular file of at most `most` bytes; null for anything else, which may have replaced it.
 */
function readFile(path: string | Buffer, most: number): Buffer | null {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(descriptor);
      return stats.isFile() && stats.size <= most ? readFileSync(descriptor) : null;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}
