import type { Config } from '../../config/schema.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { repoOf } from '../../github/api-target.ts';
import { readApiFailure, readRefusal } from '../posting/api-failure.ts';
import { existingLabels } from '../posting/existing-labels.ts';
import { markedBody } from '../posting/own-comment.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { claimsOn, postOnce, withoutRetries } from '../posting/post-once.ts';
import { renderTodos } from '../progress/render-progress.ts';
import { fillTemplate } from '../text/fill-template.ts';
import { codeSpan, oneLine } from '../text/markdown.ts';
import { readMarker } from '../text/marker.ts';
import { hostsOf, publicCut, publicText } from '../text/public-text.ts';
import { headlineOf, withoutHeadline } from './commit-message.ts';
import { type CommitStyle, plainStyle } from './commit-style.ts';

type Ports = Pick<PublishPorts, 'octokit' | 'ownLogin' | 'store' | 'wait'>;

/** A branch to create, and its base. */
export interface BranchPlan {
  readonly branch: string;
  readonly base: string;
  readonly expected_sha: string;
}

/** Returns the head of a branch; null if it does not exist. */
export async function branchHead(
  plan: RunPlan,
  branch: string,
  { octokit }: Pick<Ports, 'octokit'>,
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
 * Creates a branch at its starting commit. Returns its head, which differs if someone else was
 * first.
 */
export async function createBranch(
  plan: RunPlan,
  target: Pick<BranchPlan, 'branch' | 'expected_sha'>,
  { octokit }: Pick<Ports, 'octokit'>,
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
 * Deletes a branch without a commit. Leaves it if it has one after all. False if GitHub refuses:
 * branch rules forbid deletion by default.
 */
export async function deleteBranch(
  plan: RunPlan,
  { branch, expected_sha }: Pick<BranchPlan, 'branch' | 'expected_sha'>,
  { octokit }: Pick<Ports, 'octokit'>,
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

/** A pull request as it was opened, with its current contents. */
interface OpenedPull {
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
 * Opens the run's pull request, or finds the one it opened before, open or closed. If the
 * repository's plan allows no drafts, it is opened as ready.
 */
export async function openPullRequest(
  plan: RunPlan,
  target: BranchPlan,
  text: { readonly title: string; readonly body: string; readonly draft: boolean },
  ports: Ports,
): Promise<OpenedPull> {
  const { octokit, ownLogin } = ports;
  const repository = repoOf(plan);
  const find = async (): Promise<OpenedPull | null> => {
    const pulls = await octokit.paginate(octokit.rest.pulls.list, {
      ...repository,
      state: 'all',
      head: `${repository.owner}:${target.branch}`,
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
      ...repository,
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

/** The wording of a pull request besides the run's own text. */
interface PullRequestSettings {
  readonly runUrl: string | null;
  readonly style?: CommitStyle;
  /** The repository's template, from the base branch. */
  readonly template?: string | null;
}

/**
 * Renders title and body of the run's pull request, in the repository's template if there is one.
 * Only our own line closes an issue; such words of the model or the template are neutralised.
 */
export function renderPullRequest(
  outcome: Outcome,
  plan: RunPlan,
  { runUrl, style = plainStyle, template = null }: PullRequestSettings,
): { title: string; body: string } {
  const closes = plan.push.kind === 'new_branch' ? plan.push.closes : null;
  const answer = publicCut(withoutHeadline(outcome.answer), 30_000, '\n\n[cut]', hostsOf(plan));
  const run = runUrl === null ? 'run' : `[run](${runUrl})`;
  const title = headlineOf(outcome, plan, style);
  const from = plan.thread === null ? '' : `For #${plan.thread.number}`;
  const material = {
    summary: answer,
    steps: renderTodos(outcome.todos),
    issue: closes === null ? from : `Closes #${closes}`,
    title: publicText(title, hostsOf(plan)),
    requester: plan.requester.login,
    run,
  };
  const parts = [
    template === null
      ? [material.summary, material.steps, closes === null ? '' : material.issue]
          .filter((part) => part !== '')
          .join('\n\n')
      : fillTemplate(template, material),
    `<sub>Made by an Anode ${run} for ${plan.requester.login}, with ${outcome.model}.</sub>`,
  ];
  const text = parts.filter((part) => part !== '').join('\n\n');
  return { title, body: markedBody(plan, 'pull-request', text) };
}

type Settings = NonNullable<Config['pullRequest']>;

/**
 * Adds labels, assignees and reviewers that the pull request lacks. Returns a sentence for each
 * refusal, such as a reviewer without read access.
 */
export async function completePullRequest(
  pull: OpenedPull,
  settings: Settings,
  plan: RunPlan,
  { octokit }: Pick<PublishPorts, 'octokit'>,
): Promise<string[]> {
  const repository = repoOf(plan);
  const failures: string[] = [];
  const attempt = async (what: string, act: () => Promise<unknown>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      const message = publicCut(oneLine(readRefusal(error).message), 200, '…');
      failures.push(`#${pull.number} got no ${what}: ${message}`);
    }
  };
  const people = [
    ...(settings.assignees ?? []),
    ...(settings.assignRequester && plan.requester.type === 'User' ? [plan.requester.login] : []),
  ];
  const labels = missing(settings.labels ?? [], pull.labels);
  const assignees = missing(people, pull.assignees);
  const reviewers = missing(settings.reviewers ?? [], pull.reviewers);
  const team_reviewers = missing(settings.teamReviewers ?? [], pull.reviewers);
  if (labels.length > 0) {
    await attempt('labels', async () => {
      const found = await existingLabels(labels, repository, { octokit });
      if (found.length > 0)
        await octokit.rest.issues.addLabels({ ...repository, issue_number: pull.number, labels: found });
    });
  }
  if (assignees.length > 0) {
    await attempt('assignees', async () => {
      const added = await octokit.rest.issues.addAssignees({
        ...repository,
        issue_number: pull.number,
        assignees,
      });
      // GitHub silently ignores people who may not be assigned, and all after the tenth.
      const unassigned = missing(
        assignees,
        (added.data.assignees ?? []).map(({ login }) => login),
      );
      if (unassigned.length > 0)
        failures.push(
          `#${pull.number} is not assigned to ${unassigned.map(codeSpan).join(', ')}: GitHub takes ten people who may be assigned.`,
        );
    });
  }
  if (reviewers.length + team_reviewers.length > 0) {
    await attempt('reviewers', async () =>
      octokit.rest.pulls.requestReviewers({
        ...repository,
        pull_number: pull.number,
        reviewers,
        team_reviewers,
      }),
    );
  }
  return failures;
}

/** Returns the names that are missing, each once. Logins and labels ignore case. */
function missing(wanted: readonly string[], there: readonly string[]): string[] {
  const seen = new Set(there.map((name) => name.toLowerCase()));
  return wanted.filter((name) => {
    const isNew = !seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    return isNew;
  });
}
