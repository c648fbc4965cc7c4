import type { RunPlan } from '../../contract/plan.ts';
import { repoOf } from '../../github/api-target.ts';
import { readApiFailure } from '../posting/api-failure.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { postOnce, withoutRetries } from '../posting/post-once.ts';

/** A branch to create, and its base. */
export interface BranchTarget {
  readonly branch: string;
  readonly base: string;
  readonly expected_sha: string;
}

/** Returns the head of a branch; null if it does not exist. */
export async function branchHead(
  plan: RunPlan,
  branch: string,
  { octokit }: Pick<PublishPorts, 'octokit'>,
): Promise<string | null> {
  try {
    const { data } = await octokit.rest.git.getRef({ ...repoOf(plan), ref: `heads/${branch}` });
    return data.object.sha;
  } catch (error) {
    if (readApiFailure(error)?.status === 404) return null;
    throw error;
  }
}

/**
 * Creates a branch at `expected_sha`. Returns its head, which differs if someone else created it
 * first.
 */
export async function createBranch(
  plan: RunPlan,
  target: Pick<BranchTarget, 'branch' | 'expected_sha'>,
  { octokit }: Pick<PublishPorts, 'octokit'>,
): Promise<string> {
  return postOnce(
    () => branchHead(plan, target.branch, { octokit }),
    async () => {
      await octokit.rest.git.createRef({
        ...repoOf(plan),
        ref: `refs/heads/${target.branch}`,
        sha: target.expected_sha,
        request: withoutRetries,
      });
      return target.expected_sha;
    },
  );
}

/**
 * Deletes the branch if it is still at `expected_sha`. Returns false only if GitHub refuses; branch
 * rules forbid deletion by default.
 */
export async function deleteBranch(
  plan: RunPlan,
  { branch, expected_sha }: Pick<BranchTarget, 'branch' | 'expected_sha'>,
  { octokit }: Pick<PublishPorts, 'octokit'>,
): Promise<boolean> {
  if ((await branchHead(plan, branch, { octokit })) !== expected_sha) return true;
  try {
    await octokit.rest.git.deleteRef({ ...repoOf(plan), ref: `heads/${branch}` });
    return true;
  } catch (error) {
    const status = readApiFailure(error)?.status ?? 500;
    if (status >= 500) throw error;
    return false;
  }
}
