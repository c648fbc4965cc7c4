import type { ChangeSet } from '../../contract/change.ts';
import type { OwnGit } from '../git/own-git.ts';
import { patchedTree } from '../git/patched-tree.ts';
import { gitLine, runGit } from '../git/run-git.ts';
import { changesBetween } from './final-changes.ts';

/** A patch that fits one commit, and the commit to rebase it onto. */
interface RebaseRequest {
  /** Git directory that has both commits: of a checkout, or one that borrows its objects. */
  readonly git: OwnGit;
  /** Commit that the patch fits. */
  readonly from: string;
  readonly patch: string;
  readonly onto: string;
}

/** Result of a rebase. `same`: the target commit already has these changes. */
export type Rebased =
  | { readonly kind: 'clean'; readonly changes: ChangeSet }
  | { readonly kind: 'same' }
  | { readonly kind: 'conflict' };

/** Author of temporary commits that only give git a common ancestor. */
const placeholderAuthor = {
  GIT_AUTHOR_NAME: 'nobody',
  GIT_AUTHOR_EMAIL: 'nobody@localhost',
  GIT_COMMITTER_NAME: 'nobody',
  GIT_COMMITTER_EMAIL: 'nobody@localhost',
};

/**
 * Rebases a patch onto another commit, merged file by file in git's object store. No work tree,
 * hook or merge driver takes part. Renamed files are followed; renamed folders are not, since their
 * author could then choose where new files land. Anything that does not merge cleanly is a
 * conflict. The commits need no common history.
 */
export async function rebaseChanges({ git, from, patch, onto }: RebaseRequest): Promise<Rebased> {
  const patched = await patchedTree(git, from, patch);
  if (patched === null) throw new Error(`The patch of the run does not fit ${from}.`);
  // Built from plain commands, since `merge-tree --merge-base` needs git 2.40.
  const commit = (tree: string, ...parents: string[]) =>
    gitLine(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', '-'], {
      ...git,
      environment: placeholderAuthor,
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
