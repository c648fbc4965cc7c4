import type { ConfinedFiles } from '../files/confined-files.ts';
import { unlessToolError } from '../files/unless-tool-error.ts';
import { filesAt } from './files-at.ts';
import type { OwnGit } from './own-git.ts';
import { runGit } from './run-git.ts';

/** A regular file with its size in bytes. */
export interface TrustedFile {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
}

/**
 * Trusted files (instructions, skills) from where the run cannot write: the base commit, or the
 * operator's machine. Links are not followed and count as missing.
 */
export interface TrustedTree {
  /**
   * Lists regular files below a folder, sorted. `depth` levels deep (1 is the folder itself), at
   * most `most`; empty if the folder is missing.
   */
  below(folder: string, depth: number, most: number): Promise<readonly TrustedFile[]>;
  /**
   * Returns contents by path. Omits missing files, irregular ones, and those beyond
   * `largestTrustedFile`.
   */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
}

/** Size limit of one trusted file in bytes. */
export const largestTrustedFile = 256 * 1024;

/** Reads the tree of a commit from git's objects only. */
export function trustedTreeAt(git: OwnGit, sha: string): TrustedTree {
  return {
    async below(folder, depth, most) {
      const within = folder === '' ? [] : ['--', `${folder}/`];
      const args = ['--literal-pathspecs', 'ls-tree', '-r', '-z', '-l', '--full-tree', sha, ...within];
      const { stdout } = await runGit(args, git);
      const found = stdout
        .toString('utf8')
        .split('\0')
        .flatMap((line) => {
          // Mode 100 is a regular file, 120 a link, 160 a submodule.
          const [, mode, size, path] = /^100(\d+) blob [0-9a-f]+ +(\d+)\t(.*)$/s.exec(line) ?? [];
          return path === undefined ? [] : [{ path, size: Number(size), executable: mode === '755' }];
        });
      const above = folder === '' ? 0 : folder.split('/').length;
      const levels = (path: string) => path.split('/').length - above;
      return found.filter(({ path }) => levels(path) <= depth).slice(0, most);
    },
    async read(paths) {
      const files = await filesAt(git, sha, paths);
      return new Map([...files].filter(([, bytes]) => bytes.length <= largestTrustedFile));
    },
  };
}

/** Reads the current contents of a folder. */
export function trustedTreeIn(files: Pick<ConfinedFiles, 'stat' | 'list' | 'read'>): TrustedTree {
  return {
    async below(folder, depth, most) {
      const found: TrustedFile[] = [];
      await walk(files, { at: folder, left: depth }, found, most);
      return found.sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    async read(paths) {
      const texts = new Map<string, Buffer>();
      for (const path of paths) {
        const info = await unlessToolError(() => files.stat(path));
        if (info?.kind !== 'file' || info.size > largestTrustedFile) continue;
        const read = await unlessToolError(() => files.read(path, largestTrustedFile));
        if (read !== null) texts.set(path, read.bytes);
      }
      return texts;
    },
  };
}

async function walk(
  files: Pick<ConfinedFiles, 'stat' | 'list'>,
  { at, left }: { readonly at: string; readonly left: number },
  found: TrustedFile[],
  most: number,
): Promise<void> {
  if (left === 0 || (await unlessToolError(() => files.stat(at)))?.kind !== 'directory') return;
  for (const { name, kind } of (await unlessToolError(() => files.list(at))) ?? []) {
    if (found.length >= most) return;
    const path = at === '' ? name : `${at}/${name}`;
    if (kind === 'directory') await walk(files, { at: path, left: left - 1 }, found, most);
    else if (kind === 'file') found.push(await describeFile(files, path));
  }
}

async function describeFile(files: Pick<ConfinedFiles, 'stat'>, path: string): Promise<TrustedFile> {
  const { size = 0, mode = 0 } = (await unlessToolError(() => files.stat(path))) ?? {};
  return { path, size, executable: (mode & 0o111) !== 0 };
}
