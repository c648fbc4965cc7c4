import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { removeTree } from '../files/remove-tree.ts';
import type { GitRemote } from './git-environment.ts';
import type { GitLayout } from './git-layout.ts';
import { makeGitDirectory } from './make-git-directory.ts';
import { fetchIntoMirror } from './mirror.ts';
import type { OwnGit } from './own-git.ts';
import { runGit } from './run-git.ts';

interface CheckoutRequest {
  readonly remote: GitRemote;
  /** Full name: `refs/pull/7/head`. */
  readonly ref: string;
  readonly sha: string;
  /** Full name: `refs/heads/main`. Null where there is nothing to compare with. */
  readonly baseRef: string | null;
  readonly baseSha: string | null;
  /** The commit that `origin/<base>` names in the work tree. Default: `baseSha`. */
  readonly baseHead?: string | undefined;
  /** An additional commit, with the full name of its ref. */
  readonly also?: { readonly ref: string; readonly sha: string };
  /** Folder of the checkout, made here; the work tree is `tree` in it. */
  readonly folder: string;
  /** Folder of the mirrors, which outlive runs. */
  readonly mirrorFolder: string;
  /** Retry waits as in `Wanted.waits`, for a commit that an event just announced. */
  readonly waits?: readonly number[];
  /** Aborts a running fetch; the promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

export interface Checkout {
  /** The work tree's absolute path. */
  readonly root: string;
  /** Broker's git directory of this run, not the one in the work tree. */
  readonly git: OwnGit;
  /** Deletes the work tree and the git directory; the mirror stays. */
  remove(): Promise<void>;
}

/** Names the branch of a ref: `pull/7/head` for `refs/pull/7/head`. */
function branchOf(ref: string): string {
  return `refs/heads/${ref.replace(/^refs\/(heads\/)?/, '')}`;
}

/**
 * Makes the agent's git directory in the work tree: this commit, the base as `origin/<base>`, and
 * our settings. It has no remote, credential or hook. The broker never uses it.
 */
async function makeTreeGit(root: string, request: CheckoutRequest, source: GitLayout): Promise<void> {
  const target = path.join(root, '.git');
  makeGitDirectory({ target, source, head: `ref: ${branchOf(request.ref)}` });
  const refs = [`${request.sha} ${branchOf(request.ref)}`];
  const base = request.baseHead ?? request.baseSha;
  if (request.baseRef !== null && base !== null) {
    refs.push(`${base} ${request.baseRef.replace(/^refs\/heads\//, 'refs/remotes/origin/')}`);
  }
  await writeFile(path.join(target, 'packed-refs'), `${refs.join('\n')}\n`);
}

/**
 * Checks out a commit for one run. Fetches into the repository's mirror with credentials, then
 * checks out without. Hooks, filters, LFS and submodules do not run; the token is on no disk and no
 * command line. Each run has its own git directory, which borrows the mirror's objects.
 *
 * Throws `RunStopped` if the commit is gone, and `Error` if git could not write all files.
 */
export async function checkoutRun(request: CheckoutRequest): Promise<Checkout> {
  const { remote, ref, sha, baseRef, baseSha, baseHead, also, folder } = request;
  const given = (names: readonly (string | null | undefined)[]) => [
    ...new Set(names.filter((name) => name != null)),
  ];
  const wanted = {
    refs: given([ref, baseRef, also?.ref]),
    commits: given([sha, baseSha, baseHead, also?.sha]),
  };
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
  const git = { cwd: root, gitDirectory, workTree: root };
  await runGit(['read-tree', '--reset', '-u', '--no-recurse-submodules', sha], git);
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
