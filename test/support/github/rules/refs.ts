import { git } from '../git/git.ts';
import { ApiError, validationFailed } from '../protocol/api-error.ts';
import type { Repository } from '../world.ts';

/** A branch or tag that looks like a commit's id, which git would take for one (push error GH002). */
const looksLikeCommit = /^refs\/(?:heads|tags)\/[0-9a-f]{40}$/i;

/**
 * Throws 422 for an invalid ref name: git-check-ref-format(1), 40 hexadecimal digits or a second
 * `refs/` (GitHub Docs, "Dealing with special characters in branch and tag names"), or the prefix
 * of merge queues ("Managing a merge queue"). Observed: a ref has at most 255 bytes, `refs/heads/`
 * included (push error GH005; dependabot/dependabot-core, issue 5761).
 */
export async function assertRefName(repository: Repository, ref: string): Promise<void> {
  const valid = await git(repository.directory, ['check-ref-format', ref]).then(
    () => true,
    () => false,
  );
  if (!valid || !/^refs\/[^/]+\/.+/.test(ref) || !isBranchName(ref))
    throw validationFailed('Reference', 'ref', 'invalid', `${ref} is not a valid ref name.`);
}

const isBranchName = (ref: string): boolean =>
  !looksLikeCommit.test(ref) &&
  !/^refs\/(?:heads|tags)\/refs\//.test(ref) &&
  !ref.startsWith('refs/heads/gh-readonly-queue/') &&
  !/^refs\/(?:heads|tags)\/-/.test(ref) &&
  Buffer.byteLength(ref) <= 255;

/**
 * Throws 422 if a new ref would be inside another, or another inside it: `a/b` beside `a`.
 * Observed; git's own rule.
 */
export function assertNoConflict(refs: ReadonlyMap<string, string>, ref: string): void {
  if (refs.has(ref)) throw new ApiError(422, 'Reference already exists');
  for (const other of refs.keys())
    if (other.startsWith(`${ref}/`) || ref.startsWith(`${other}/`))
      throw new ApiError(422, 'Reference update failed');
}

/** Throws 422 where the default branch would be deleted (GitHub Docs, "Creating and deleting branches within your repository"). */
export function assertDeletable(repository: Repository, ref: string): void {
  if (ref === `refs/heads/${repository.defaultBranch}`)
    throw new ApiError(422, 'Cannot delete the default branch');
}
