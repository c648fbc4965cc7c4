import { findGit, readHead } from './git-layout.ts';
import { makeOwnGit } from './own-git.ts';
import { runGit } from './run-git.ts';

/** What the model is told of a checkout's git. */
export interface GitState {
  /** Short name of the branch; null on a detached HEAD. */
  readonly branch: string | null;
  /** Lines as of `git status --short`, our own folder left out. */
  readonly status: readonly string[];
}

/**
 * The branch and the changed files of a work tree; null where the folder is not the top of a repository. Asked
 * through a git directory of our own in `folder`, which must not exist: the repository's settings could name
 * programs (git-config, `filter.<driver>.clean`), which `git status` would run with all that we can reach.
 */
export async function gitState(root: string, folder: string): Promise<GitState | null> {
  const layout = await findGit(root);
  if (layout === null) return null;
  const { gitDirectory } = await makeOwnGit(layout, folder);
  const status = runGit(
    ['status', '--porcelain', '--no-renames', '--ignore-submodules=all', '--', '.', ':!.anode-harness'],
    { cwd: root, gitDirectory, workTree: root },
  );
  const { ref } = await readHead(layout);
  const lines = (await status).stdout.toString('utf8').split('\n');
  return {
    branch: ref?.replace(/^refs\/heads\//, '') ?? null,
    status: lines.filter((line) => line !== ''),
  };
}
