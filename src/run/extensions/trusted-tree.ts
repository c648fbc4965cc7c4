import path from 'node:path';
import { findGit, readHead } from '../../workspace/git/git-layout.ts';
import { makeOwnGit } from '../../workspace/git/own-git.ts';
import { type SteeringTree, steeringAt } from '../../workspace/git/steering-tree.ts';
import type { ExternalRun } from './external-run.ts';

/**
 * The files that programs of the repository come from, looked for when they are first asked for: the base branch's, or without one those
 * of the checkout's last commit, which no command in the sandbox can move. Null where there is no commit. `name` tells the git directory
 * from those of others.
 */
export function trustedTree(run: ExternalRun, name: string): () => Promise<SteeringTree | null> {
  let tree: Promise<SteeringTree | null> | null = null;
  return () => {
    tree ??= run.steering != null ? Promise.resolve(run.steering) : lastCommitOf(run, name);
    return tree;
  };
}

async function lastCommitOf({ root, runFolder }: ExternalRun, name: string): Promise<SteeringTree | null> {
  const layout = findGit(root);
  const sha = layout === null ? null : readHead(layout).sha;
  return layout === null || sha === null
    ? null
    : steeringAt(makeOwnGit(layout, path.join(runFolder, `${name}.git`)), sha);
}
