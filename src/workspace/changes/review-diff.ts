import { stripInvisible } from '../../untrusted-text/invisible.ts';
import { findGit, readHead } from '../git/git-layout.ts';
import { makeOwnGit, type OwnGit } from '../git/own-git.ts';
import { gitLine } from '../git/run-git.ts';
import { diffTrees } from '../git/tree-diff.ts';
import { createSnapshots } from './snapshots.ts';

/** Two trees or commits in a git directory of our own. */
export interface ReviewRange {
  readonly git: OwnGit;
  readonly from: string;
  readonly to: string;
  /** The last commit (`1a2b3c4d "Subject"`), if it is reviewed because nothing was uncommitted. */
  readonly commit?: string;
}

/** A change to review. */
export interface UnderReview {
  /** Empty where there is none. */
  readonly diff: string;
  /** The last commit (`1a2b3c4d "Subject"`), if it replaces an empty change; else null. */
  readonly commit: string | null;
}

/**
 * Returns the change to review without a pull request: all uncommitted changes with new files, else
 * the last commit. Null without git or without a parent commit. `folder` is made for git's data and
 * must not exist. The repository is only read.
 */
export async function reviewRange(root: string, folder: string): Promise<ReviewRange | null> {
  const layout = findGit(root);
  const head = layout === null ? null : readHead(layout);
  if (layout === null || head?.sha == null) return null;
  const git = makeOwnGit(layout, folder);
  const tree = await createSnapshots({ cwd: root, gitDirectory: folder, workTree: root }).take();
  const own = await gitLine(['rev-parse', `${head.sha}^{tree}`], git);
  if (own !== tree) return { git, from: own, to: tree };
  const parents = await gitLine(['rev-list', '--parents', '-n', '1', head.sha], git);
  const [, parent] = parents.split(' ');
  if (parent === undefined) return null;
  const subject = await gitLine(['log', '-1', '--format=%s', head.sha], git);
  const commit = `${head.sha.slice(0, 8)} ${JSON.stringify(stripInvisible(subject).text.slice(0, 200))}`;
  return { git, from: parent, to: head.sha, commit };
}

/** Returns the same as a diff by git. */
export async function reviewDiff(root: string, folder: string): Promise<UnderReview> {
  const range = await reviewRange(root, folder);
  if (range === null) return { diff: '', commit: null };
  const { patch } = await diffTrees(range.git, range.from, range.to);
  return { diff: patch, commit: range.commit ?? null };
}
