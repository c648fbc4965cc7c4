import { chmod, readFile, realpath, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { type GitLayout, readHead } from './git-layout.ts';
import { giveAll } from './give-all.ts';
import { makeGitDirectory } from './make-git-directory.ts';
import { errorCode } from './open-confined.ts';

/**
 * Makes the throwaway git directory at `target`: the agent may look at history, commit and branch in it, and
 * the repository knows nothing of it. As root it belongs to the owner of the work tree, whom commands run
 * as, and the folder it lies in can be passed through (but not listed).
 */
export async function makeAgentGit(root: string, layout: GitLayout, target: string): Promise<void> {
  const { ref, sha } = await readHead(layout);
  await makeGitDirectory({
    target,
    source: layout,
    head: ref === null ? (sha ?? 'ref: refs/heads/main') : `ref: ${ref}`,
    refs: true,
    objectFormat: sha?.length === 64 ? 'sha256' : 'sha1',
  });
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = await stat(root);
  if (uid === 0) return;
  await giveAll(target, uid, gid);
  await chmod(path.dirname(target), 0o711);
}

/** The object folders a repository reads from, its own and those it borrows from in turn, as real paths. */
export async function objectFolders(layout: GitLayout): Promise<string[]> {
  const found: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    const real = await realpath(folder);
    if (found.includes(real)) return;
    found.push(real);
    const alternates = await readFile(path.join(real, 'info/alternates'), 'utf8').catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return '';
      throw error;
    });
    for (const line of alternates.split('\n')) {
      if (line !== '' && !line.startsWith('#')) await visit(path.resolve(real, line));
    }
  };
  await visit(path.join(layout.common, 'objects'));
  return found;
}
