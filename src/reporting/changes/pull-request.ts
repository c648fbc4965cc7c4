import type { Config } from '../../config/schema.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { repoOf } from '../../github/api-target.ts';
import { explainRefusal, readApiFailure } from '../posting/api-failure.ts';
import { existingLabels } from '../posting/existing-labels.ts';
import { markedBody } from '../posting/own-comment.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { claimsOn, postOnce, withoutRetries } from '../posting/post-once.ts';
import { renderTodoChecklist } from '../progress/render-progress.ts';
import { fillTemplate } from '../text/fill-template.ts';
import { codeSpan } from '../text/markdown.ts';
import { readMarker } from '../text/marker.ts';
import { hostsOf, publicCut, publicText } from '../text/public-text.ts';
import type { BranchTarget } from './branches.ts';
import { headlineOf, withoutHeadline } from './commit-message.ts';
import { type CommitStyle, plainStyle } from './commit-style.ts';

type Ports = Pick<PublishPorts, 'octokit' | 'ownLogin' | 'store' | 'wait'>;

/** An open pull request with its labels, assignees and reviewers. */
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
  target: BranchTarget,
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
      title,
      body,
      head,
      base,
      draft,
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
 * Only our own line closes an issue: closing keywords from the model or template are neutralised.
 */
export function renderPullRequest(
  outcome: Outcome,
  plan: RunPlan,
  { runUrl, style = plainStyle, template = null }: PullRequestSettings,
): { title: string; body: string } {
  const closes = plan.push.kind === 'new_branch' ? plan.push.closes : null;
  const answer = publicCut(withoutHeadline(outcome.answer, style), 30_000, '\n\n[cut]', hostsOf(plan));
  const run = runUrl === null ? 'run' : `[run](${runUrl})`;
  const title = headlineOf(outcome, plan, style);
  const from = plan.thread === null ? '' : `For #${plan.thread.number}`;
  const material = {
    summary: answer,
    steps: renderTodoChecklist(outcome.todos),
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
    `<sub>Made by an Anode ${run} ${asker(plan)}, with ${outcome.model}.</sub>`,
  ];
  const text = parts.filter((part) => part !== '').join('\n\n');
  return { title, body: markedBody(plan, 'pull-request', text) };
}

const asker = ({ workflow, requester }: RunPlan): string =>
  workflow === undefined ? `for ${requester.login}` : `of the workflow ${codeSpan(workflow.name)}`;

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
      failures.push(`#${pull.number} got no ${what}: ${explainRefusal(error, plan, 200)}`);
    }
  };
  const { login, type } = plan.requester;
  const withRequester = (names: readonly string[] = [], isWanted = false) =>
    isWanted && type === 'User' ? [...names, login] : names;
  const people = withRequester(settings.assignees, settings.assignRequester);
  const reviewedBy = withRequester(settings.reviewers, settings.reviewByRequester);
  const labels = missing(settings.labels ?? [], pull.labels);
  const assignees = missing(people, pull.assignees);
  const reviewers = missing(reviewedBy, pull.reviewers);
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
      // GitHub silently ignores users without access, and all after the tenth.
      const unassigned = missing(
        assignees,
        (added.data.assignees ?? []).map(({ login }) => login),
      );
      if (unassigned.length > 0)
        failures.push(
          `#${pull.number} is not assigned to ${unassigned.map(codeSpan).join(', ')}: GitHub accepts at most ten assignees, and only users with access.`,
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
