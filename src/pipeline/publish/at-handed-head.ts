import type { RunPlan } from '../../contract/plan.ts';
import { isNotFound } from '../../github/api-errors.ts';
import type { GitHubContext } from '../context/broker-context.ts';
import { handedRunOf } from '../context/job-share.ts';

/**
 * Returns the plan at the commit that the agent's job worked on, if the branch only moved forward
 * since. Then its changes are rebased like those of any run. The plan stays as it is if that commit
 * is none of the branch: its run is refused.
 */
export async function atHandedHead(
  plan: RunPlan,
  { share, github }: Pick<GitHubContext, 'share' | 'github'>,
): Promise<RunPlan> {
  const handed = handedRunOf(plan, share);
  const { sha } = plan.checkout;
  if (handed?.kind !== 'run' || handed.head === sha) return plan;
  const { owner, name: repo } = plan.repository;
  const basehead = `${handed.head}...${sha}`;
  const compared = await github.reader.rest.repos
    .compareCommitsWithBasehead({ owner, repo, basehead, per_page: 1 })
    .catch((error: unknown) => {
      if (isNotFound(error)) return null;
      throw error;
    });
  if (compared?.data.status !== 'ahead') return plan;
  const { push, checkout } = plan;
  return {
    ...plan,
    checkout: { ...checkout, sha: handed.head },
    push: 'expected_sha' in push && push.expected_sha === sha ? { ...push, expected_sha: handed.head } : push,
  };
}
