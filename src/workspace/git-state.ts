import { findGit, readHead } from './git-layout.ts';
import { runGit } from './run-git.ts';

/** What the model is told of a checkout's git. */
export interface GitState {
  /** Short name of the branch; null on a detached HEAD. */
  readonly branch: string | null;
  /** Lines as of `git status --short`, our own folder left out. */
  readonly status: readonly string[];
}

/** The branch and the changed files of a work tree; null where the folder is not the top of a repository. */
export async function gitState(root: string): Promise<GitState | null> {
  const layout = await findGit(root);
  if (layout === null) return null;
  const status = runGit(
    ['status', '--porcelain', '--no-renames', '--ignore-submodules=all', '--', '.', ':!.anode-harness'],
    {
      cwd: root,
      gitDirectory: layout.directory,
      workTree: root,
    },
  );
  const { ref } = await readHead(layout);
  const lines = (await status).stdout.toString('utf8').split('\n');
  return {
    branch: ref?.replace(/^refs\/heads\//, '') ?? null,
    status: lines.filter((line) => line !== ''),
  };
}
