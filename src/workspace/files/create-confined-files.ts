import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  read,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { ConfigError, ToolError } from '../../contract/errors.ts';
import {
  type ConfinedPath,
  confinePath,
  isGitPath,
  type Overlay,
  type ReadOnlyRoot,
  refuseProtected,
} from './confine-path.ts';
import type { ConfinedFiles, FileInfo, FileWrite, ReadFileResult } from './confined-files.ts';
import { explain, isMissing, missing, notFile } from './explain-error.ts';
import { errorCode, isDirectory, linkAt, openDirectory, openFile } from './open-confined.ts';
import { writeFiles } from './write-files.ts';

/** Bytes of one file read into memory at most. */
const READ_CAP = 64 * 1024 * 1024;
/** Bytes read synchronously at most. */
const READ_AT_ONCE = 1024 * 1024;

function kindOf(entry: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): FileInfo['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}

const readLong = promisify(read);

async function readUpTo(fd: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const bytesRead =
      length <= READ_AT_ONCE
        ? readSync(fd, bytes, filled, length - filled, filled)
        : (await readLong(fd, bytes, filled, length - filled, filled)).bytesRead;
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

function ofSetup(at: ConfinedPath): ToolError {
  return new ToolError(
    'protected',
    `${at.displayPath} was made by the set-up of this run and can only be read.`,
  );
}

/**
 * Files of one work tree. `root` and the read-only folders must exist. Relies on `/proc/self/fd`
 * (proc(5)), so it needs Linux with /proc; throws `ConfigError` without it. Reads return at most 64
 * MiB. Writing through a link is refused even inside the tree, so the checked path is the written
 * path.
 */
export function createConfinedFiles(options: {
  readonly root: string;
  readonly readOnlyRoots: readonly ReadOnlyRoot[];
  /** Folders mounted over the workspace, evaluated at each call. */
  readonly overlays?: (() => readonly Overlay[]) | undefined;
  /** Start folder below `root`, searched first for hints. Default: the root. */
  readonly start?: string;
}): ConfinedFiles {
  if (!existsSync('/proc/self/fd')) {
    throw new ConfigError('The workspace needs Linux with /proc mounted; /proc/self/fd does not exist.');
  }
  const root = realpathSync(options.root);
  const readOnlyRoots = options.readOnlyRoots.map((one) => ({ ...one, folder: realpathSync(one.folder) }));
  const overlays = options.overlays ?? (() => []);
  const locate = (given: string): LocatedPath => {
    const at = confinePath(given, root, readOnlyRoots, overlays());
    refuseProtected(at.relative, 'read');
    return { ...at, absolute: path.join(at.root, at.relative) };
  };

  const startIn = (at: ConfinedPath) => (at.root === root ? (options.start ?? '') : '');
  const explained = (error: unknown, at: ConfinedPath) => explain(error, at, startIn(at));
  /** Acts on a path; translates system errors. */
  const on = <Result>(given: string, act: (at: LocatedPath) => Result): Result => {
    const at = locate(given);
    try {
      return act(at);
    } catch (error) {
      throw explained(error, at);
    }
  };

  return {
    relative: (given) => confinePath(given, root, readOnlyRoots).displayPath,
    stat: async (given) => on(given, statAt),
    async read(given, maxBytes = READ_CAP) {
      const at = locate(given);
      try {
        return await readAt(at, Math.min(maxBytes, READ_CAP));
      } catch (error) {
        throw explained(error, at);
      }
    },
    missing(given) {
      const at = locate(given);
      return missing(at, startIn(at));
    },
    list: async (given) => on(given, listAt),
    readLink: async (given) => on(given, readLinkAt),
    hold: (given) => on(given, openForProgram),
    async write(writes) {
      const normal = writes.map((write) => ({ ...write, path: writable(write.path, root, overlays()) }));
      refuseTwice(normal);
      const first = normal[0];
      if (!first) return;
      try {
        await writeFiles(root, normal);
      } catch (error) {
        const displayPath = normal.map((write) => write.path).join(', ');
        throw explained(error, { root, relative: first.path, displayPath });
      }
    },
  };
}

type LocatedPath = ConfinedPath & { readonly absolute: string };

function statAt(at: LocatedPath): FileInfo | null {
  try {
    const above = at.relative === '' ? at.root : path.dirname(at.absolute);
    const parent = openDirectory(at.root, above, at.displayPath);
    try {
      const entry = at.relative === '' ? '.' : path.basename(at.absolute);
      const stats = lstatSync(`${parent.folder}/${entry}`);
      return { kind: kindOf(stats), size: stats.size, mode: stats.mode & 0o777 };
    } finally {
      closeSync(parent.fd);
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function readAt(at: LocatedPath, maxBytes: number): Promise<ReadFileResult> {
  if (at.relative === '') throw isDirectory(at.displayPath);
  const fd = openFile(at.root, at.absolute, at.displayPath);
  try {
    const stats = fstatSync(fd);
    if (stats.isDirectory()) throw isDirectory(at.displayPath);
    if (!stats.isFile()) throw notFile(at);
    const bytes = await readUpTo(fd, Math.min(stats.size, maxBytes));
    return { bytes, size: stats.size, mode: stats.mode & 0o777 };
  } finally {
    closeSync(fd);
  }
}

function listAt(at: LocatedPath): { name: string; kind: FileInfo['kind'] }[] {
  try {
    const directory = openDirectory(at.root, at.absolute, at.displayPath);
    try {
      return readdirSync(directory.folder, { withFileTypes: true })
        .filter(({ name }) => !isGitPath(name))
        .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    } finally {
      closeSync(directory.fd);
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOTDIR' || statAt(at) === null) throw error;
    throw new ToolError('not_a_directory', `${at.displayPath} is not a directory, so it has no entries.`);
  }
}

function readLinkAt(at: LocatedPath): string {
  const parent = openDirectory(at.root, path.dirname(at.absolute), at.displayPath);
  try {
    const link = linkAt(`${parent.folder}/${path.basename(at.absolute)}`);
    if (link === null) throw new ToolError('not_found', `${at.displayPath} is no link.`);
    return link;
  } finally {
    closeSync(parent.fd);
  }
}

function openForProgram(at: LocatedPath): { kind: 'file' | 'directory'; fd: number } {
  try {
    return { kind: 'directory', fd: openDirectory(at.root, at.absolute, at.displayPath).fd };
  } catch (error) {
    if (errorCode(error) !== 'ENOTDIR') throw error;
  }
  const fd = openFile(at.root, at.absolute, at.displayPath);
  if (fstatSync(fd).isFile()) return { kind: 'file', fd };
  closeSync(fd);
  throw notFile(at);
}

/** Returns the normal form of a path that tools may write. */
function writable(given: string, root: string, overlays: readonly Overlay[]): string {
  const at = confinePath(given, root, [], overlays);
  if (at.root !== root) throw ofSetup(at);
  refuseProtected(at.relative, 'write');
  if (at.relative === '') throw isDirectory('');
  return at.relative;
}

function refuseTwice(writes: readonly FileWrite[]): void {
  const paths = new Set<string>();
  for (const { path } of writes) {
    if (paths.has(path)) throw new ToolError('invalid_input', `${path} is written twice in one change.`);
    paths.add(path);
  }
}
