import { closeSync, openSync, readSync } from 'node:fs';
import * as path from 'node:path';
import { harnessFolder } from '../files/confine-path.ts';
import { errorCode } from '../files/open-confined.ts';
import { findGit, readHead } from './git-layout.ts';
import { makeOwnGit } from './own-git.ts';
import { runGit } from './run-git.ts';

/** Git state of a checkout, for the model. */
interface GitState {
  /** Short name of the branch; null on a detached HEAD. */
  readonly branch: string | null;
  /** Lines of `git status --short`, without our own folder. */
  readonly status: readonly string[];
  /** False if untracked files were not listed because too many files are tracked. */
  readonly untrackedListed: boolean;
}

/** Tracked files beyond which listing untracked ones would delay the first request. */
const mostFilesWalked = 10_000;

/**
 * Returns branch and changed files of a work tree; null if the folder is not the top of a
 * repository. Uses a git directory of our own in `folder`, which must not exist. Settings of the
 * repository could name programs (git-config, `filter.<driver>.clean`) that `git status` would run
 * with our rights. Git starts before the promise is returned, so it works while modules load.
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

/** Returns the number of index entries from its header (gitformat-index); 0 without an index. */
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
