import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { forkPoint } from '../git/diff-between.ts';
import { findGit, readHead } from '../git/git-layout.ts';
import { copyRefs, makeGitDirectory } from '../git/make-git-directory.ts';
import type { OwnGit } from '../git/own-git.ts';
import { gitLine, runGit } from '../git/run-git.ts';
import type { ReviewRange } from './review-diff.ts';
import { createSnapshots } from './snapshots.ts';

/** The changes of a local repository since it left a base. */
export interface LocalRange extends ReviewRange {
  /** Current commit of the base; the head may have left it earlier. */
  readonly base: string;
  /** The head's commit; null for the work tree. */
  readonly sha: string | null;
  /** True if the head equals the work tree. */
  readonly checkedOut: boolean;
}

/** Reason for a missing range: not a git repository, or a name that is not a commit. */
interface NoRange {
  readonly problem: string;
}

/**
 * Returns the change from a base to a head, or to the work tree with all uncommitted changes if no
 * head is named. `folder` is made for git's data and must not exist. The repository is only read.
 */
export async function localRange(
  root: string,
  folder: string,
  names: { readonly base: string; readonly head: string | null },
): Promise<LocalRange | NoRange> {
  const layout = findGit(root);
  const head = layout === null ? null : readHead(layout);
  if (layout === null) return { problem: `${root} is not a git repository.` };
  if (head?.sha == null) return { problem: `${root} has no commit yet.` };
  const objectFormat = head.sha.length === 64 ? 'sha256' : 'sha1';
  makeGitDirectory({ target: folder, source: layout, head: head.sha, objectFormat });
  await copyRefs(layout, folder);
  const git: OwnGit = { cwd: path.dirname(folder), gitDirectory: folder };
  const commitOf = async (name: string): Promise<string | null> => {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
    const { exitCode, stdout } = await runGit(args, { ...git, accept: [1, 128] });
    return exitCode === 0 ? stdout.toString('latin1').trim() : null;
  };
  const base = await commitOf(names.base);
  if (base === null) return { problem: unknown(names.base) };
  const sha = names.head === null ? null : await commitOf(names.head);
  if (names.head !== null && sha === null) return { problem: unknown(names.head) };
  const tree = await createSnapshots({ cwd: root, gitDirectory: folder, workTree: root }).take();
  const from = await forkPoint(git, base, sha ?? head.sha);
  const checkedOut = sha === null || (await gitLine(['rev-parse', `${sha}^{tree}`], git)) === tree;
  return { git, base, from, to: sha ?? tree, sha, checkedOut };
}

const unknown = (name: string) =>
  `There is no commit called ${JSON.stringify(name)} here. In a shallow clone, fetch it first.`;

/**
 * Writes the files of a commit or tree into a new folder without a repository. Filters and hooks do
 * not run.
 */
export async function writeTree(git: OwnGit, tree: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const location = { ...git, workTree: folder, indexFile: path.join(git.gitDirectory, 'put-tree.index') };
  await runGit(['read-tree', tree], location);
  await runGit(['checkout-index', '--all', '--quiet', `--prefix=${folder}/`], location);
  await rm(location.indexFile, { force: true });
}
