import { git } from '../git/git.ts';
import { ApiError, validationFailed } from '../protocol/api-error.ts';
import type { Repository } from '../world.ts';

/** A branch or tag that looks like a commit's id, which git would take for one (push error GH002). */
const looksLikeCommit = /^refs\/(?:heads|tags)\/[0-9a-f]{40}$/i;

/**
 * Throws 422 where a name cannot be a ref (git-check-ref-format(1); GitHub Docs, "Dealing with special characters in branch and
 * tag names" and "REST API endpoints for Git references"): 40 hexadecimal digits, a second `refs/heads/`, more than 244 bytes, and
 * what the merge queue keeps for itself ("Managing a merge queue").
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
  Buffer.byteLength(ref.replace(/^refs\/[^/]+\//, '')) <= 244;

/** Throws 422 where a new ref would stand inside of another, or another inside of it: `a/b` beside `a`. */
export function assertNoConflict(refs: ReadonlyMap<string, string>, ref: string): void {
  if (refs.has(ref)) throw new ApiError(422, 'Reference already exists');
  for (const other of refs.keys())
    if (other.startsWith(`${ref}/`) || ref.startsWith(`${other}/`))
      throw new ApiError(422, 'Reference update failed');
}

/** Throws 422 where the default branch would be deleted (GitHub Docs, "Changing the default branch"). */
export function assertDeletable(repository: Repository, ref: string): void {
  if (ref === `refs/heads/${repository.defaultBranch}`)
    throw new ApiError(422, 'Cannot delete the default branch');
}
