import type { RunPlan } from '../../contract/plan.ts';
import { readApiFailure } from '../posting/api-failure.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { claimsOn, postOnce, withoutRetries } from '../posting/post-once.ts';
import { readMarker } from '../text/marker.ts';

type Ports = Pick<PublishPorts, 'octokit' | 'ownLogin' | 'store' | 'wait'>;

/** A branch to make and what is to become of it. */
export interface BranchPlan {
  readonly branch: string;
  readonly base: string;
  readonly expected_sha: string;
}

const refPlace = ({ repository }: RunPlan) => ({ owner: repository.owner, repo: repository.name });

/** Where a branch is now; null where there is none of that name. */
export async function branchHead(
  plan: RunPlan,
  branch: string,
  { octokit }: Pick<Ports, 'octokit'>,
): Promise<string | null> {
  try {
    const { data } = await octokit.rest.git.getRef({ ...refPlace(plan), ref: `heads/${branch}` });
    return data.object.sha;
  } catch (error) {
    if (readApiFailure(error)?.status === 404) return null;
    throw error;
  }
}

/** Makes a branch at its starting commit and gives where it is: elsewhere when somebody else was quicker. */
export async function createBranch(
  plan: RunPlan,
  target: Pick<BranchPlan, 'branch' | 'expected_sha'>,
  { octokit }: Pick<Ports, 'octokit'>,
): Promise<string> {
  return postOnce(
    () => branchHead(plan, target.branch, { octokit }),
    async () => {
      await octokit.rest.git.createRef({
        ...refPlace(plan),
        ref: `refs/heads/${target.branch}`,
        sha: target.expected_sha,
        request: withoutRetries,
      });
      return target.expected_sha;
    },
  );
}

/**
 * Deletes a branch on which no commit could be made, unless there is one on it after all. False where GitHub refuses that: rules of
 * branches forbid it by default.
 */
export async function deleteBranch(
  plan: RunPlan,
  { branch, expected_sha }: Pick<BranchPlan, 'branch' | 'expected_sha'>,
  { octokit }: Pick<Ports, 'octokit'>,
): Promise<boolean> {
  if ((await branchHead(plan, branch, { octokit })) !== expected_sha) return true;
  try {
    await octokit.rest.git.deleteRef({ ...refPlace(plan), ref: `heads/${branch}` });
    return true;
  } catch (error) {
    const status = readApiFailure(error)?.status ?? 500;
    if (status >= 500) throw error;
    return false;
  }
}

/** A pull request as it was opened, and what stands on it already. */
export interface OpenedPull {
  readonly number: number;
  readonly url: string;
  readonly labels: readonly string[];
  readonly assignees: readonly string[];
  /** Logins and slugs of teams. */
  readonly reviewers: readonly string[];
}

interface PullAnswer {
  readonly number: number;
  readonly html_url: string;
  readonly labels: readonly { readonly name: string }[];
  readonly assignees?: readonly { readonly login: string }[] | null;
  readonly requested_reviewers?: readonly { readonly login: string }[] | null;
  readonly requested_teams?: readonly { readonly slug: string }[] | null;
}

const toOpenedPull = (pull: PullAnswer): OpenedPull => ({
  number: pull.number,
  url: pull.html_url,
  labels: pull.labels.map(({ name }) => name),
  assignees: (pull.assignees ?? []).map(({ login }) => login),
  reviewers: [
    ...(pull.requested_reviewers ?? []).map(({ login }) => login),
    ...(pull.requested_teams ?? []).map(({ slug }) => slug),
  ],
});

/**
 * Opens the run's pull request, or finds the one it opened before, open or closed. Where GitHub takes no draft, as in private
 * repositories of some plans, it is none.
 */
export async function openPullRequest(
  plan: RunPlan,
  target: BranchPlan,
  text: { readonly title: string; readonly body: string; readonly draft: boolean },
  ports: Ports,
): Promise<OpenedPull> {
  const { octokit, ownLogin } = ports;
  const place = refPlace(plan);
  const find = async (): Promise<OpenedPull | null> => {
    const pulls = await octokit.paginate(octokit.rest.pulls.list, {
      ...place,
      state: 'all',
      head: `${place.owner}:${target.branch}`,
      per_page: 100,
    });
    const own = pulls.find(
      (pull) => pull.user?.login === ownLogin && readMarker(pull.body, 'pull-request')?.run === plan.run_id,
    );
    return own === undefined ? null : toOpenedPull(own);
  };
  const open = async (draft: boolean): Promise<OpenedPull> => {
    const { title, body } = text;
    const { branch: head, base } = target;
    const answer = await octokit.rest.pulls.create({
      ...place,
      ...{ title, body, head, base, draft },
      request: withoutRetries,
    });
    return toOpenedPull(answer.data);
  };
  const make = async (): Promise<OpenedPull> => {
    try {
      return await open(text.draft);
    } catch (error) {
      if (!text.draft || readApiFailure(error)?.status !== 422) throw error;
      return (await find()) ?? open(false);
    }
  };
  return postOnce(find, make, claimsOn('pull-request', plan, ports));
}
