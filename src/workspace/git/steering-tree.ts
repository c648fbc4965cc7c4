import { ToolError } from '../../contract/errors.ts';
import type { ConfinedFiles } from '../files/confined-files.ts';
import { filesAt } from './files-at.ts';
import type { OwnGit } from './own-git.ts';
import { runGit } from './run-git.ts';

/** A regular file, its size in bytes, and whether it is a program. */
export interface SteeringFile {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
}

/**
 * Files that steer a run (instructions, skills), as they stand where the run cannot write: in the base commit, or on the operator's own
 * machine. Links are never followed, and count as files that are not there.
 */
export interface SteeringTree {
  /** The regular files below a folder down to `depth` levels, 1 being its own, sorted, at most `most`; none where it is missing. */
  below(folder: string, depth: number, most: number): Promise<readonly SteeringFile[]>;
  /** Contents by path; what is missing, no regular file or larger than `largestSteeringFile` is left out. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
}

/** Bytes of one file that steers a run. */
export const largestSteeringFile = 256 * 1024;

/** The tree of a commit, read from git's objects alone. */
export function steeringAt(git: OwnGit, sha: string): SteeringTree {
  return {
    async below(folder, depth, most) {
      const within = folder === '' ? [] : ['--', `${folder}/`];
      const args = ['--literal-pathspecs', 'ls-tree', '-r', '-z', '-l', '--full-tree', sha, ...within];
      const { stdout } = await runGit(args, git);
      const found = stdout
        .toString('utf8')
        .split('\0')
        .flatMap((line) => {
          // gitrepository-layout has no name for it, but 100 is a regular file, 120 a link, 160 a submodule.
          const [, mode, size, path] = /^100(\d+) blob [0-9a-f]+ +(\d+)\t(.*)$/s.exec(line) ?? [];
          return path === undefined ? [] : [{ path, size: Number(size), executable: mode === '755' }];
        });
      const above = folder === '' ? 0 : folder.split('/').length;
      const levels = (path: string) => path.split('/').length - above;
      return found.filter(({ path }) => levels(path) <= depth).slice(0, most);
    },
    async read(paths) {
      const files = await filesAt(git, sha, paths);
      return new Map([...files].filter(([, bytes]) => bytes.length <= largestSteeringFile));
    },
  };
}

/** The tree that a folder is now. */
export function steeringIn(files: Pick<ConfinedFiles, 'stat' | 'list' | 'read'>): SteeringTree {
  return {
    async below(folder, depth, most) {
      const found: SteeringFile[] = [];
      const walk = async (at: string, left: number): Promise<void> => {
        if (left === 0 || (await orNull(files.stat(at)))?.kind !== 'directory') return;
        for (const { name, kind } of (await orNull(files.list(at))) ?? []) {
          if (found.length >= most) return;
          const path = at === '' ? name : `${at}/${name}`;
          if (kind === 'directory') await walk(path, left - 1);
          else if (kind === 'file') {
            const { size = 0, mode = 0 } = (await orNull(files.stat(path))) ?? {};
            found.push({ path, size, executable: (mode & 0o111) !== 0 });
          }
        }
      };
      await walk(folder, depth);
      return found.sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    async read(paths) {
      const texts = new Map<string, Buffer>();
      for (const path of paths) {
        const info = await orNull(files.stat(path));
        if (info?.kind !== 'file' || info.size > largestSteeringFile) continue;
        const read = await orNull(files.read(path, largestSteeringFile));
        if (read !== null) texts.set(path, read.bytes);
      }
      return texts;
    },
  };
}

/** Null for what cannot be looked at, such as a path that leads out or that permissions forbid. */
async function orNull<Result>(looked: Promise<Result>): Promise<Result | null> {
  try {
    return await looked;
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}
