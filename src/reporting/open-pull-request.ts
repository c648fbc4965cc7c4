import type { RunPlan } from '../contract/plan.ts';
import { readApiFailure } from './api-failure.ts';
import { readMarker } from './marker.ts';
import type { PublishPorts } from './ports.ts';
import { postOnce, withoutRetries } from './post-once.ts';

type Ports = Pick<PublishPorts, 'octokit' | 'ownLogin'>;

/** A branch to make and what is to become of it. */
export interface BranchPlan {
  readonly branch: string;
  readonly base: string;
  readonly expected_sha: string;
}

/** Makes the branch at its starting commit; false when it was there already. */
export async function createBranch(plan: RunPlan, target: BranchPlan, { octokit }: Ports): Promise<boolean> {
  const place = { owner: plan.repository.owner, repo: plan.repository.name };
  const find = async (): Promise<boolean | null> => {
    try {
      await octokit.rest.git.getRef({ ...place, ref: `heads/${target.branch}` });
      return false;
    } catch (error) {
      if (readApiFailure(error)?.status === 404) return null;
      throw error;
    }
  };
  return postOnce(find, async () => {
    await octokit.rest.git.createRef({
      ...place,
      ref: `refs/heads/${target.branch}`,
      sha: target.expected_sha,
      request: withoutRetries,
    });
    return true;
  });
}

/** Takes a branch away again on which no commit could be made. */
export async function deleteBranch(plan: RunPlan, branch: string, { octokit }: Ports): Promise<void> {
  const place = { owner: plan.repository.owner, repo: plan.repository.name };
  await octokit.rest.git.deleteRef({ ...place, ref: `heads/${branch}` });
}

/** Opens the run's pull request, or finds the one it opened before, open or closed. */
export async function openPullRequest(
  plan: RunPlan,
  target: BranchPlan,
  text: { readonly title: string; readonly body: string },
  { octokit, ownLogin }: Ports,
): Promise<{ number: number; url: string }> {
  const { owner, name: repo } = plan.repository;
  const find = async () => {
    const pulls = await octokit.paginate(octokit.rest.pulls.list, {
      owner,
      repo,
      state: 'all',
      head: `${owner}:${target.branch}`,
      per_page: 100,
    });
    const own = pulls.find(
      (pull) => pull.user?.login === ownLogin && readMarker(pull.body, 'pull-request')?.run === plan.run_id,
    );
    return own === undefined ? null : { number: own.number, url: own.html_url };
  };
  return postOnce(find, async () => {
    const { data } = await octokit.rest.pulls.create({
      owner,
      repo,
      title: text.title,
      body: text.body,
      head: target.branch,
      base: target.base,
      request: withoutRetries,
    });
    return { number: data.number, url: data.html_url };
  });
}
