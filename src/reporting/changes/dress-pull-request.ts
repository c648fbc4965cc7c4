import type { Config } from '../../config/schema.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { readApiFailure } from '../posting/api-failure.ts';
import { existingLabels } from '../posting/existing-labels.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { codeSpan, oneLine } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';
import type { OpenedPull } from './open-pull-request.ts';

type Settings = NonNullable<Config['pullRequest']>;

/**
 * Gives a pull request its labels, assignees and reviewers, as far as it does not have them. What GitHub refuses, such as a
 * reviewer who may not read the repository, is a sentence for the report and stops nothing.
 */
export async function dressPullRequest(
  pull: OpenedPull,
  settings: Settings,
  plan: RunPlan,
  { octokit }: Pick<PublishPorts, 'octokit'>,
): Promise<string[]> {
  const place = { owner: plan.repository.owner, repo: plan.repository.name };
  const failures: string[] = [];
  const attempt = async (what: string, act: () => Promise<unknown>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      const failure = readApiFailure(error);
      if (failure === null) throw error;
      const message = publicCut(oneLine(failure.message), 200, '…');
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
      const found = await existingLabels(labels, place, { octokit });
      if (found.length > 0)
        await octokit.rest.issues.addLabels({ ...place, issue_number: pull.number, labels: found });
    });
  }
  if (assignees.length > 0) {
    await attempt('assignees', async () => {
      const added = await octokit.rest.issues.addAssignees({
        ...place,
        issue_number: pull.number,
        assignees,
      });
      // GitHub leaves out without a word who may not be assigned, and whoever comes after the tenth.
      const left = missing(
        assignees,
        (added.data.assignees ?? []).map(({ login }) => login),
      );
      if (left.length > 0)
        failures.push(
          `#${pull.number} is not assigned to ${left.map(codeSpan).join(', ')}: GitHub takes ten people who may be assigned.`,
        );
    });
  }
  if (reviewers.length + team_reviewers.length > 0) {
    await attempt('reviewers', async () =>
      octokit.rest.pulls.requestReviewers({ ...place, pull_number: pull.number, reviewers, team_reviewers }),
    );
  }
  return failures;
}

/** Those that are not there yet, each once; logins and labels do not tell letters by case. */
function missing(wanted: readonly string[], there: readonly string[]): string[] {
  const known = new Set(there.map((name) => name.toLowerCase()));
  return wanted.filter((name) => {
    const isNew = !known.has(name.toLowerCase());
    known.add(name.toLowerCase());
    return isNew;
  });
}
