import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import * as path from 'node:path';
import type { OwnGit } from './own-git.ts';
import { gitLine, runGit } from './run-git.ts';

/**
 * Returns the tree of a commit or tree with a patch applied, or, in reverse, removed. Uses an index
 * of its own, so no work tree is touched. Null if the patch does not fit.
 */
export async function patchedTree(
  git: OwnGit,
  from: string,
  patch: string,
  { reverse = false }: { reverse?: boolean } = {},
): Promise<string | null> {
  const indexFile = path.join(git.gitDirectory, `patched-${randomBytes(6).toString('hex')}.index`);
  const location = { ...git, indexFile };
  try {
    await runGit(['read-tree', from], location);
    const apply = ['apply', '--cached', '--whitespace=nowarn', ...(reverse ? ['--reverse'] : [])];
    const { exitCode } = await runGit(apply, { ...location, stdin: patch, accept: [1] });
    return exitCode === 0 ? await gitLine(['write-tree', '--missing-ok'], location) : null;
  } finally {
    await rm(indexFile, { force: true });
  }
}

/**
 * Applies the patch of an earlier run to a work tree. Returns false, and changes nothing, if any
 * part does not fit. Git refuses paths that lead outside or through a link. No process of the agent
 * may run at the same time.
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
