import { mkdir } from 'node:fs/promises';
import * as path from 'node:path';
import { removeTree } from '../files/remove-tree.ts';
import { makeGitDirectory } from './make-git-directory.ts';
import type { OwnGit } from './own-git.ts';
import { runGit } from './run-git.ts';

/** A disposable tree for experiments. */
interface ScratchTree {
  /** Top of the tree, with a git directory for commands that need one. */
  readonly root: string;
  /** Deletes it with all its contents. */
  remove(): Promise<void>;
}

/**
 * Checks out a commit at `folder`, which must not exist, from our own git directory. No filter,
 * hook or submodule runs.
 */
export async function makeScratchTree(git: OwnGit, sha: string, folder: string): Promise<ScratchTree> {
  const root = path.join(folder, 'tree');
  await mkdir(root, { recursive: true, mode: 0o700 });
  const location = {
    cwd: root,
    gitDirectory: git.gitDirectory,
    workTree: root,
    indexFile: path.join(folder, 'index'),
  };
  const remove = () => removeTree(folder);
  try {
    await runGit(['read-tree', '--reset', '-u', '--no-recurse-submodules', sha], location);
    makeGitDirectory({
      target: path.join(root, '.git'),
      source: { directory: git.gitDirectory, common: git.gitDirectory },
      head: sha,
    });
  } catch (error) {
    await remove();
    throw error;
  }
  return { root, remove };
}
