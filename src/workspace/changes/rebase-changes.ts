import type { ChangeSet } from '../../contract/change.ts';
import type { OwnGit } from '../git/own-git.ts';
import { patchedTree } from '../git/patched-tree.ts';
import { gitLine, runGit } from '../git/run-git.ts';
import { changesBetween } from './final-changes.ts';

/** A patch that fits one commit, and another commit to put it on. */
export interface RebaseRequest {
  /** Has both commits: the git directory of a checkout, or one that borrows their objects. */
  readonly git: OwnGit;
  /** What the patch was made on. */
  readonly from: string;
  readonly patch: string;
  readonly onto: string;
}

/** What became of it. `same`: the other commit has these changes already. */
export type Rebased =
  | { readonly kind: 'clean'; readonly changes: ChangeSet }
  | { readonly kind: 'same' }
  | { readonly kind: 'conflict' };

/** For commits that nobody ever sees: they only tell git what the common ancestor is. */
const nobody = {
  GIT_AUTHOR_NAME: 'nobody',
  GIT_AUTHOR_EMAIL: 'nobody@localhost',
  GIT_COMMITTER_NAME: 'nobody',
  GIT_COMMITTER_EMAIL: 'nobody@localhost',
};

/**
 * What a patch changes when it is put on another commit, merged file by file by git in its object store: no work tree,
 * no hook and no merge driver of anybody's takes part, as none is configured. A renamed file is followed; a renamed
 * folder is not, since that would let whoever renamed it choose where new files land. Anything that does not merge by itself is a
 * conflict. The two commits need no common history.
 */
export async function rebaseChanges({ git, from, patch, onto }: RebaseRequest): Promise<Rebased> {
  const patched = await patchedTree(git, from, patch);
  if (patched === null) throw new Error(`The patch of the run does not fit ${from}.`);
  // By hand, as `merge-tree --merge-base` needs git 2.40.
  const commit = (tree: string, ...parents: string[]) =>
    gitLine(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', '-'], {
      ...git,
      environment: nobody,
    });
  const ancestor = await commit(`${from}^{tree}`);
  const sides = [await commit(`${onto}^{tree}`, ancestor), await commit(patched, ancestor)];
  const merge = [
    '-c',
    'merge.directoryRenames=false',
    'merge-tree',
    '--write-tree',
    '--no-messages',
    ...sides,
  ];
  const { exitCode, stdout } = await runGit(merge, { ...git, accept: [1] });
  if (exitCode === 1) return { kind: 'conflict' };
  const tree = stdout.toString('utf8').trim();
  const before = await gitLine(['rev-parse', `${onto}^{tree}`], git);
  if (tree === before) return { kind: 'same' };
  return { kind: 'clean', changes: await changesBetween(git, before, tree, onto) };
}
