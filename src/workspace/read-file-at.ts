import type { OwnGit } from './own-git.ts';
import { runGit } from './run-git.ts';

/** The text of a file as a commit has it; null where that commit has no such file. */
export async function readFileAt(git: OwnGit, sha: string, path: string): Promise<string | null> {
  const found = await runGit(['cat-file', 'blob', `${sha}:${path}`], { ...git, accept: [128] });
  return found.exitCode === 0 ? found.stdout.toString('utf8') : null;
}
