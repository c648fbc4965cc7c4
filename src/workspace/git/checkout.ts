import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { removeTree } from '../files/remove-tree.ts';
import type { GitRemote } from './git-environment.ts';
import type { GitLayout } from './git-layout.ts';
import { makeGitDirectory } from './make-git-directory.ts';
import { fetchIntoMirror } from './mirror.ts';
import type { OwnGit } from './own-git.ts';
import { runGit } from './run-git.ts';

export interface CheckoutRequest {
  readonly remote: GitRemote;
  /** Full name: `refs/pull/7/head`. */
  readonly ref: string;
  readonly sha: string;
  /** Full name: `refs/heads/main`. Null where there is nothing to compare with. */
  readonly baseRef: string | null;
  readonly baseSha: string | null;
  /** A further commit to have, with the full name of its ref. */
  readonly also?: { readonly ref: string; readonly sha: string };
  /** The checkout's own folder, made here: the work tree is `tree` in it. */
  readonly folder: string;
  /** Where mirrors are kept from run to run. */
  readonly mirrorFolder: string;
  /** As `Wanted.waits`, for a commit that an event just told of. */
  readonly waits?: readonly number[];
  /** Ends a fetch that goes on; the promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

export interface Checkout {
  /** The work tree's absolute path. */
  readonly root: string;
  /** The broker's git directory of this run; not the one in the work tree. */
  readonly git: OwnGit;
  /** Deletes the work tree and the git directory; the mirror stays. */
  remove(): Promise<void>;
}

/** `refs/pull/7/head` is shown as the branch `pull/7/head`. */
function branchOf(ref: string): string {
  return `refs/heads/${ref.replace(/^refs\/(heads\/)?/, '')}`;
}

/**
 * The git directory that stands in the work tree: the agent's. It holds this commit, the base as
 * `origin/<base>`, and settings of ours; no remote, no credential, no hook. The broker never uses it.
 */
async function makeTreeGit(root: string, request: CheckoutRequest, source: GitLayout): Promise<void> {
  const target = path.join(root, '.git');
  makeGitDirectory({ target, source, head: `ref: ${branchOf(request.ref)}` });
  const refs = [`${request.sha} ${branchOf(request.ref)}`];
  if (request.baseRef !== null && request.baseSha !== null) {
    refs.push(`${request.baseSha} ${request.baseRef.replace(/^refs\/heads\//, 'refs/remotes/origin/')}`);
  }
  await writeFile(path.join(target, 'packed-refs'), `${refs.join('\n')}\n`);
}

/**
 * Checks a commit out for one run. Fetches into the repository's mirror with the credentials, then checks
 * out without: hooks, filters, LFS and submodules do not run, and the token is on no disk and no command
 * line. Each run has a git directory of its own, which borrows the mirror's objects. Throws `RunStopped` when the
 * commit is gone, and an `Error` when git could not write all of it.
 */
export async function checkoutRun(request: CheckoutRequest): Promise<Checkout> {
  const { remote, ref, sha, baseRef, baseSha, also, folder } = request;
  const given = (names: readonly (string | null | undefined)[]) => [
    ...new Set(names.filter((name) => name != null)),
  ];
  const wanted = { refs: given([ref, baseRef, also?.ref]), commits: given([sha, baseSha, also?.sha]) };
  const { waits = [] } = request;
  const mirror = await fetchIntoMirror(request.mirrorFolder, remote, { ...wanted, waits }, request.signal);
  const root = path.join(folder, 'tree');
  const gitDirectory = path.join(folder, 'checkout.git');
  await mkdir(root, { recursive: true, mode: 0o700 });
  makeGitDirectory({
    target: gitDirectory,
    source: { directory: mirror, common: mirror },
    head: sha,
  });
  const place = { cwd: root, gitDirectory, workTree: root };
  await runGit(['read-tree', '--reset', '-u', '--no-recurse-submodules', sha], place);
  await makeTreeGit(root, request, { directory: gitDirectory, common: gitDirectory });
  return {
    root,
    git: { cwd: folder, gitDirectory },
    async remove() {
      await removeTree(root);
      await removeTree(gitDirectory);
    },
  };
}
