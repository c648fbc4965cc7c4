import { brokerGit } from './broker-git.ts';
import { diffBetween } from './diff-between.ts';
import { findGit, readHead } from './git-layout.ts';
import { makeOwnGit } from './own-git.ts';
import { createSnapshots } from './snapshots.ts';
import { diffTrees } from './tree-diff.ts';

/**
 * What a reviewer of a checkout is to look at where no pull request says it: whatever is not committed yet,
 * new files included, or, where nothing is, the last commit. Empty without git or without a commit. `folder` is made
 * for git's data and must not exist; the repository is only read.
 */
export async function reviewDiff(root: string, folder: string): Promise<string> {
  const layout = findGit(root);
  const head = layout === null ? null : readHead(layout);
  if (layout === null || head?.sha == null) return '';
  const git = await makeOwnGit(layout, folder);
  const tree = await createSnapshots({ cwd: root, gitDirectory: folder, workTree: root }).take();
  const uncommitted = await diffTrees(git, `${head.sha}^{tree}`, tree);
  if (uncommitted.patch !== '') return uncommitted.patch;
  const parents = (await brokerGit(git).raw(['rev-list', '--parents', '-n', '1', head.sha]))
    .trim()
    .split(' ');
  const [, parent] = parents;
  return parent === undefined ? '' : diffBetween(git, parent, head.sha);
}
