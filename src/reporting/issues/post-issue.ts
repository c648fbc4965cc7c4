import type { RunPlan } from '../../contract/plan.ts';
import { repoOf } from '../../github/api-target.ts';
import { readApiFailure } from '../posting/api-failure.ts';
import { existingLabels } from '../posting/existing-labels.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { claimsOn, postOnce, withoutRetries } from '../posting/post-once.ts';
import { type MarkerKind, readMarker } from '../text/marker.ts';

/** One of our issues. */
export interface OwnIssue {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly labels: readonly string[];
}

/** An issue to make. The body begins with a marker of that kind with this run and `n`. */
export interface IssueOrder {
  readonly kind: Extract<MarkerKind, 'handoff' | 'changes'>;
  readonly n: string;
  readonly title: string;
  readonly body: string;
  /** Labels that the repository lacks are omitted. */
  readonly labels: readonly string[];
  /** Omitted entirely if GitHub refuses one. */
  readonly assignees: readonly string[];
}

export type IssuePorts = Pick<PublishPorts, 'octokit' | 'ownLogin' | 'store' | 'wait'>;

/** Makes an issue of a run, or finds the one that this run made of the same before. */
export async function postIssue(order: IssueOrder, plan: RunPlan, ports: IssuePorts): Promise<OwnIssue> {
  const { octokit } = ports;
  const repository = repoOf(plan);
  const make = async (assignees: readonly string[]): Promise<OwnIssue> => {
    const labels = await existingLabels(order.labels, repository, ports);
    const { data } = await octokit.rest.issues.create({
      ...repository,
      title: order.title,
      body: order.body,
      labels,
      ...(assignees.length === 0 ? {} : { assignees: [...assignees] }),
      request: withoutRetries,
    });
    return toOwnIssue(data);
  };
  const find = () => findIssue(order, plan, ports);
  return postOnce(
    find,
    async () => {
      try {
        return await make(order.assignees);
      } catch (error) {
        if (order.assignees.length === 0 || readApiFailure(error)?.status !== 422) throw error;
        return make([]);
      }
    },
    claimsOn(`${order.kind}-${order.n}`, plan, ports),
  );
}

async function findIssue(
  { kind, n }: Pick<IssueOrder, 'kind' | 'n'>,
  plan: RunPlan,
  { octokit, ownLogin }: IssuePorts,
): Promise<OwnIssue | null> {
  // Newest first: the issue was made after the run was planned.
  const pages = octokit.paginate.iterator(octokit.rest.issues.listForRepo, {
    ...repoOf(plan),
    state: 'all',
    sort: 'created',
    direction: 'desc',
    per_page: 100,
  });
  const dayBefore = Date.parse(plan.triggered_at) - 86_400_000;
  for await (const { data } of pages) {
    for (const issue of data) {
      const mark = issue.user?.login === ownLogin ? readMarker(issue.body, kind) : null;
      if (mark?.run === plan.run_id && mark.n === n) return toOwnIssue(issue);
      if (Date.parse(issue.created_at) < dayBefore) return null;
    }
  }
  return null;
}

interface IssueAnswer {
  readonly number: number;
  readonly html_url: string;
  readonly title: string;
  readonly labels: readonly (string | { readonly name?: string })[];
}

const toOwnIssue = (issue: IssueAnswer): OwnIssue => ({
  number: issue.number,
  url: issue.html_url,
  title: issue.title,
  labels: issue.labels.flatMap((label) => (typeof label === 'string' ? label : (label.name ?? []))),
});
