import { existsSync, realpathSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, readdir } from 'node:fs/promises';
import * as path from 'node:path';
import { ConfigError, ToolError } from '../contract/errors.ts';
import { type ConfinedPath, confinePath, isGitPath, refuseProtected } from './confine-path.ts';
import type { ConfinedFiles, FileInfo } from './confined-files.ts';
import { nearNames } from './near-names.ts';
import { errorCode, isDirectory, openDirectory, openFile } from './open-confined.ts';
import { writeFiles } from './write-files.ts';

/** No more of one file is ever read into memory than this many bytes. */
const READ_CAP = 64 * 1024 * 1024;
const MISSING = new Set(['ENOENT', 'ENOTDIR']);

function kindOf(entry: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): FileInfo['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}

async function readUpTo(handle: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** Names like the first part of the path that does not exist, as paths from the root. */
async function nearPaths(at: ConfinedPath): Promise<string[]> {
  const parts = at.relative.split('/');
  for (let depth = parts.length - 1; depth >= 0; depth -= 1) {
    const folder = parts.slice(0, depth).join('/');
    try {
      const directory = await openDirectory(at.root, path.join(at.root, folder), at.shown);
      try {
        const names = (await readdir(directory.folder)).filter((name) => !isGitPath(name));
        return nearNames(parts[depth] ?? '', names).map((name) => path.join(folder, name));
      } finally {
        await directory.handle.close();
      }
    } catch (error) {
      if (!MISSING.has(errorCode(error) ?? '')) throw error;
    }
  }
  return [];
}

/** The words for the model in place of a system error it can do something about. */
async function explain(error: unknown, at: ConfinedPath): Promise<unknown> {
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR': {
      const near = await nearPaths(at);
      const hint = near.length > 0 ? ` Near it: ${near.join(', ')}.` : '';
      return new ToolError('not_found', `${at.shown} does not exist.${hint}`, { cause: error });
    }
    case 'EACCES':
    case 'EPERM':
      return new ToolError('no_access', `${at.shown} may not be opened: its permissions forbid it.`, {
        cause: error,
      });
    case 'ENAMETOOLONG':
      return new ToolError('invalid_input', 'A part of the path is longer than a file name may be.', {
        cause: error,
      });
    case 'ENXIO':
      return notFile(at);
    case 'ELOOP':
      return new ToolError('not_found', `${at.shown} goes through links that never end.`, { cause: error });
    default:
      return error;
  }
}

function notFile(at: ConfinedPath): ToolError {
  return new ToolError('not_a_file', `${at.shown} is neither a file nor a directory; it is not read.`);
}

/**
 * The files of one work tree. `root` and the read-only folders must exist. Works by the kernel's own word
 * on what an open directory is (proc(5), `/proc/self/fd`), so it needs Linux with /proc: without,
 * `ConfigError`. A read gives at most 64 MiB. Writing through a link is refused even inside the tree, so
 * that the path that was judged is the path that is written.
 */
export function createConfinedFiles(options: {
  readonly root: string;
  readonly readOnlyRoots: readonly string[];
}): ConfinedFiles {
  if (!existsSync('/proc/self/fd')) {
    throw new ConfigError('The workspace needs Linux with /proc mounted; /proc/self/fd does not exist.');
  }
  const root = realpathSync(options.root);
  const readOnlyRoots = options.readOnlyRoots.map((folder) => realpathSync(folder));
  const locate = (given: string) => {
    const at = confinePath(given, root, readOnlyRoots);
    refuseProtected(at.relative, 'read');
    return { ...at, absolute: path.join(at.root, at.relative) };
  };

  const files: ConfinedFiles = {
    relative: (given) => confinePath(given, root, readOnlyRoots).shown,

    async stat(given) {
      const at = locate(given);
      try {
        const above = at.relative === '' ? at.root : path.dirname(at.absolute);
        const parent = await openDirectory(at.root, above, at.shown);
        try {
          const entry = at.relative === '' ? '.' : path.basename(at.absolute);
          const stats = await lstat(`${parent.folder}/${entry}`);
          return { kind: kindOf(stats), size: stats.size, mode: stats.mode & 0o777 };
        } finally {
          await parent.handle.close();
        }
      } catch (error) {
        if (MISSING.has(errorCode(error) ?? '')) return null;
        throw await explain(error, at);
      }
    },

    async read(given, maxBytes = READ_CAP) {
      const at = locate(given);
      if (at.relative === '') throw isDirectory(at.shown);
      try {
        const handle = await openFile(at.root, at.absolute, at.shown);
        try {
          const stats = await handle.stat();
          if (stats.isDirectory()) throw isDirectory(at.shown);
          if (!stats.isFile()) throw notFile(at);
          const bytes = await readUpTo(handle, Math.min(stats.size, maxBytes, READ_CAP));
          return { bytes, size: stats.size, mode: stats.mode & 0o777 };
        } finally {
          await handle.close();
        }
      } catch (error) {
        throw await explain(error, at);
      }
    },

    async list(given) {
      const at = locate(given);
      try {
        const directory = await openDirectory(at.root, at.absolute, at.shown);
        try {
          const entries = await readdir(directory.folder, { withFileTypes: true });
          return entries
            .filter(({ name }) => !isGitPath(name))
            .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
            .sort((a, b) => (a.name < b.name ? -1 : 1));
        } finally {
          await directory.handle.close();
        }
      } catch (error) {
        if (errorCode(error) === 'ENOTDIR' && (await files.stat(given)) !== null) {
          throw new ToolError('not_a_directory', `${at.shown} is not a directory, so it has no entries.`);
        }
        throw await explain(error, at);
      }
    },

    async write(writes) {
      const normal = writes.map((write) => {
        const at = confinePath(write.path, root, []);
        refuseProtected(at.relative, 'write');
        if (at.relative === '') throw isDirectory('');
        return { ...write, path: at.relative };
      });
      const twice = normal.find(({ path: one }, index) => normal.findIndex((w) => w.path === one) !== index);
      if (twice) throw new ToolError('invalid_input', `${twice.path} is written twice in one change.`);
      const first = normal[0];
      if (!first) return;
      try {
        await writeFiles(root, normal);
      } catch (error) {
        const shown = normal.map((write) => write.path).join(', ');
        throw await explain(error, { root, relative: first.path, shown });
      }
    },
  };
  return files;
}
