import { type GitLayout, readHead } from './git-layout.ts';
import { copyRefs, makeGitDirectory } from './make-git-directory.ts';

/**
 * Makes the throwaway git directory at `target`. The agent may read history, commit and branch in
 * it; the repository is not affected.
 */
export async function makeAgentGit(layout: GitLayout, target: string): Promise<void> {
  const { ref, sha } = readHead(layout);
  makeGitDirectory({
    target,
    source: layout,
    head: ref === null ? (sha ?? 'ref: refs/heads/main') : `ref: ${ref}`,
    objectFormat: sha?.length === 64 ? 'sha256' : 'sha1',
  });
  await copyRefs(layout, target);
}
