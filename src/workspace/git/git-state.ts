import { closeSync, openSync, readSync } from 'node:fs';
import * as path from 'node:path';
import { harnessFolder } from '../files/confine-path.ts';
import { errorCode } from '../files/open-confined.ts';
import { findGit, readHead } from './git-layout.ts';
import { makeOwnGit } from './own-git.ts';
import { runGit } from './run-git.ts';

/** What the model is told of a checkout's git. */
export interface GitState {
  /** Short name of the branch; null on a detached HEAD. */
  readonly branch: string | null;
  /** Lines as of `git status --short`, our own folder left out. */
  readonly status: readonly string[];
  /** False where so many files are tracked that nobody looked for untracked ones. */
  readonly untrackedListed: boolean;
}

/** In a work tree of more tracked files, the walk for untracked ones would hold up the first request. */
const mostFilesWalked = 10_000;

/**
 * The branch and the changed files of a work tree; null where the folder is not the top of a repository. Asked
 * through a git directory of our own in `folder`, which must not exist: the repository's settings could name
 * programs (git-config, `filter.<driver>.clean`), which `git status` would run with all that we can reach.
 * Git is under way when this returns its promise, so that it works while other modules load.
 */
export async function gitState(root: string, folder: string): Promise<GitState | null> {
  const layout = findGit(root);
  if (layout === null) return null;
  const { gitDirectory } = makeOwnGit(layout, folder);
  const untrackedListed = trackedFiles(gitDirectory) <= mostFilesWalked;
  const untracked = `--untracked-files=${untrackedListed ? 'normal' : 'no'}`;
  const status = runGit(['status', '--porcelain', '--no-renames', '--ignore-submodules=all', untracked], {
    cwd: root,
    gitDirectory,
    workTree: root,
  });
  const { ref } = readHead(layout);
  const lines = (await status).stdout.toString('utf8').split('\n');
  return {
    branch: ref?.replace(/^refs\/heads\//, '') ?? null,
    status: lines.filter((line) => line !== '' && !line.startsWith(`${harnessFolder}/`, 3)),
    untrackedListed,
  };
}

/** How many entries the index of a git directory has, as its header says (gitformat-index); 0 without one. */
function trackedFiles(gitDirectory: string): number {
  try {
    const file = openSync(path.join(gitDirectory, 'index'), 'r');
    try {
      const header = Buffer.alloc(12);
      return readSync(file, header, 0, 12, 0) < 12 ? 0 : header.readUInt32BE(8);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}
