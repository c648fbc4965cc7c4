import * as path from 'node:path';
import { type GitLayout, readHead } from './git-layout.ts';
import { copyRefs, makeGitDirectory } from './make-git-directory.ts';

/** A git directory of our own; no one else writes its settings and attributes. */
export interface OwnGit {
  readonly cwd: string;
  readonly gitDirectory: string;
}

/**
 * Makes one at `folder`, which must not exist, on the objects and index of a repository, if any.
 */
export function makeOwnGit(layout: GitLayout | null, folder: string): OwnGit {
  const sha = layout === null ? null : readHead(layout).sha;
  makeGitDirectory({
    target: folder,
    source: layout,
    head: sha ?? 'ref: refs/heads/main',
    objectFormat: sha?.length === 64 ? 'sha256' : 'sha1',
  });
  return { cwd: path.dirname(folder), gitDirectory: folder };
}

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
