import type { RunPlan } from '../contract/plan.ts';
import { isReview } from '../contract/work-of.ts';

/** One request that a run would make to GitHub. */
export interface PlannedCall {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The reason for the request, and when it is made. */
  readonly purpose: string;
}

/** Returns the writing requests of a plan, in order, for a preview. Pure. */
export function plannedCalls(plan: RunPlan): PlannedCall[] {
  const repository = `/repos/${plan.repository.owner}/${plan.repository.name}`;
  const { thread, trigger_comment: comment, push } = plan;
  const reactions =
    comment === null
      ? null
      : `${repository}/${comment.kind === 'issue_comment' ? 'issues' : 'pulls'}/comments/${comment.id}/reactions`;
  const calls: (PlannedCall | null)[] = [
    reactions === null ? null : { method: 'POST', path: reactions, purpose: '👀 on the comment' },
    thread === null
      ? null
      : {
          method: 'POST',
          path: `${repository}/issues/${thread.number}/comments`,
          purpose: 'the progress comment',
        },
    push.kind === 'new_branch'
      ? {
          method: 'POST',
          path: `${repository}/git/refs`,
          purpose: `the branch ${push.branch}, if anything changed`,
        }
      : null,
    push.kind === 'none'
      ? null
      : { method: 'POST', path: '/graphql', purpose: `a commit on ${push.branch}, if anything changed` },
    push.kind === 'new_branch'
      ? {
          method: 'POST',
          path: `${repository}/pulls`,
          purpose: `a pull request into ${push.base}, if anything changed`,
        }
      : null,
    thread?.kind === 'pull_request'
      ? {
          method: 'POST',
          path: `${repository}/pulls/${thread.number}/reviews`,
          purpose: 'a review, if there are findings or suggestions',
        }
      : null,
    isReview(plan)
      ? null
      : { method: 'POST', path: `${repository}/issues`, purpose: 'an issue for each handoff' },
    thread === null
      ? null
      : { method: 'PATCH', path: `${repository}/issues/comments/{id}`, purpose: 'progress, then the report' },
    reactions === null
      ? null
      : { method: 'DELETE', path: `${reactions}/{id}`, purpose: '👀 away at the end' },
  ];
  return calls.filter((call) => call !== null);
}
