import type { OwnGit } from './own-git.ts';
import { runGit } from './run-git.ts';

/**
 * What `head` changed since it left `base`, as a pull request shows it (GitHub Docs, "Three-dot and two-dot
 * Git diff comparisons"): renames found, binary files only named. Both commits must be here, with the history
 * between them; without a common ancestor the two trees are compared.
 */
export async function diffBetween(git: OwnGit, base: string, head: string): Promise<string> {
  const found = await runGit(['merge-base', base, head], { ...git, accept: [1] });
  const from = found.stdout.toString('utf8').trim() || base;
  const options = ['-r', '-p', '-M', '--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/'];
  return (await runGit(['diff-tree', ...options, from, head], git)).stdout.toString('utf8');
}
