import type { OwnGit } from '../git/own-git.ts';
import { runGit } from '../git/run-git.ts';

/**
 * Applies the patch of an earlier run to a work tree. Returns false, and changes nothing, if any
 * part does not fit. Git refuses paths that lead outside or through a link. No process of the agent
 * may run meanwhile.
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
