import { brokerGit } from './broker-git.ts';
import type { OwnGit } from './own-git.ts';

/**
 * What `head` changed since it left `base`, as a pull request shows it (GitHub Docs, "Three-dot and two-dot
 * Git diff comparisons"): renames found, binary files only named. Both commits must be here, with the history
 * between them; without a common ancestor the two trees are compared.
 */
export async function diffBetween(place: OwnGit, base: string, head: string): Promise<string> {
  const git = brokerGit(place);
  const from = await forkPoint(place, base, head);
  const options = ['-r', '-p', '-M', '--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/'];
  return git.raw(['diff-tree', ...options, from, head]);
}

/** The commit where `head` left `base`; `base` itself where the two have nothing in common. */
export async function forkPoint(place: OwnGit, base: string, head: string): Promise<string> {
  // Without a common ancestor git says nothing at all, which simple-git takes for an empty answer.
  return (await brokerGit(place).raw(['merge-base', base, head])).trim() || base;
}
