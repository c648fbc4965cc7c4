import type { OwnGit } from '../git/own-git.ts';
import { runGit } from '../git/run-git.ts';

/**
 * Puts the changes of an earlier run, git's patch, back onto a work tree: all of them or, where one does not
 * fit what is there now, none; then the answer is false. Git itself refuses paths that lead outside or
 * through a link. Nothing of the agent's may run meanwhile.
 */
export async function applySavedPatch(git: OwnGit, root: string, patch: string): Promise<boolean> {
  if (patch === '') return true;
  const { exitCode } = await runGit(['apply', '--whitespace=nowarn'], {
    cwd: root,
    gitDirectory: git.gitDirectory,
    workTree: root,
    stdin: patch,
    accept: [1],
  });
  return exitCode === 0;
}
