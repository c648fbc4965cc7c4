import type { Handoff } from '../contract/handoff.ts';
import type { RunPlan } from '../contract/plan.ts';
import { readApiFailure } from './api-failure.ts';
import { readMarker } from './marker.ts';
import type { PublishPorts } from './ports.ts';
import { postOnce, withoutRetries } from './post-once.ts';
import { renderHandoff } from './render-handoff.ts';

export interface HandoffIssue {
  readonly number: number;
  readonly url: string;
  readonly title: string;
}

type Ports = Pick<PublishPorts, 'octokit' | 'ownLogin' | 'runUrl' | 'config'>;

/**
 * Makes the issue of one handoff, or finds the one this run made of it before. Labels of `handoff.labels`
 * that the repository does not have are left out.
 */
export async function postHandoff(
  handoff: Handoff,
  index: number,
  plan: RunPlan,
  ports: Ports,
): Promise<HandoffIssue> {
  const { octokit, ownLogin } = ports;
  const place = { owner: plan.repository.owner, repo: plan.repository.name };
  const { title, body } = renderHandoff(handoff, index, plan, ports.runUrl);
  const find = async (): Promise<HandoffIssue | null> => {
    // Newest first: the issue was made after the run was planned.
    const pages = octokit.paginate.iterator(octokit.rest.issues.listForRepo, {
      ...place,
      state: 'all',
      sort: 'created',
      direction: 'desc',
      per_page: 100,
    });
    const dayBefore = Date.parse(plan.triggered_at) - 86_400_000;
    for await (const { data } of pages) {
      for (const issue of data) {
        const mark = issue.user?.login === ownLogin ? readMarker(issue.body, 'handoff') : null;
        if (mark?.run === plan.run_id && mark.n === String(index)) return toHandoffIssue(issue);
        if (Date.parse(issue.created_at) < dayBefore) return null;
      }
    }
    return null;
  };
  return postOnce(find, async () => {
    const labels = await existingLabels(ports.config.handoff?.labels ?? [], place, ports);
    const { data } = await octokit.rest.issues.create({
      ...place,
      title,
      body,
      labels,
      request: withoutRetries,
    });
    return toHandoffIssue(data);
  });
}

const toHandoffIssue = (issue: { number: number; html_url: string; title: string }): HandoffIssue => ({
  number: issue.number,
  url: issue.html_url,
  title: issue.title,
});

async function existingLabels(
  names: readonly string[],
  place: { owner: string; repo: string },
  { octokit }: Ports,
): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    try {
      await octokit.rest.issues.getLabel({ ...place, name });
      found.push(name);
    } catch (error) {
      if (readApiFailure(error)?.status !== 404) throw error;
    }
  }
  return found;
}
