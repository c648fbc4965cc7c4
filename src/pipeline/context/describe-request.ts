import type { RunPlan } from '../../contract/plan.ts';
import { storedVerb } from '../../contract/verbs.ts';
import { workOf } from '../../contract/work-of.ts';

/**
 * Tells the model in a line each who asks, with the permission that GitHub's API gave, and where
 * the answer will stand. Of a closed pull request, also how it ended. Pure.
 */
export function describeRequest(plan: RunPlan): string {
  const lines = [describeRequester(plan), describePlace(plan), describePullEnd(plan)];
  return lines.filter((line) => line !== null).join('\n');
}

/** Tells how a closed pull request ended, and what becomes of changes; null for an open one. */
export function describePullEnd(plan: Pick<RunPlan, 'ended' | 'checkout' | 'verb' | 'work'>): string | null {
  const { ended, checkout } = plan;
  if (ended === undefined) return null;
  const { base_ref: base } = checkout;
  const { merged } = ended;
  const as = merged?.sha == null ? '' : ` as ${merged.sha}`;
  const how = merged === null ? 'was closed without a merge' : `was merged into ${base}${as}`;
  const current = `origin/${base} is the current head of ${base}.`;
  const changes =
    storedVerb(workOf(plan))?.push === 'none'
      ? ''
      : ' Nothing is committed to its branch: your changed files are posted as a patch.';
  return `The pull request ${how}; ${current}${changes}`;
}

function describeRequester({ requester, thread, trigger_comment, own_commit, build }: RunPlan): string {
  if (thread === null) return `Asked by a workflow step, started by ${requester.login}.`;
  const where = `${thread.kind === 'issue' ? 'issue' : 'pull request'} #${thread.number}`;
  if (own_commit !== undefined) return `Started by a commit of a run of yours on ${where}.`;
  if (build !== undefined) return `Started by a failed build of ${where}.`;
  const who = `${requester.login} (permission: ${requester.permission})`;
  return trigger_comment === null
    ? `Started by an event of ${who} on ${where}.`
    : `Asked by ${who} in a comment on ${where}.`;
}

const inNewPull =
  'Your changes will become a pull request. Your answer will be its text: begin with a headline of at most 72 characters that says what changed, and an empty line. Without a change there is none.';

function describePlace({ thread, verb, review_thread, finding, push }: RunPlan): string {
  if (thread === null)
    return push.kind === 'new_branch' ? inNewPull : 'Your answer will stand in the summary of the job.';
  const where = thread.kind === 'issue' ? 'issue' : 'pull request';
  if (review_thread !== undefined) {
    const which = finding == null ? 'review thread of the request' : 'thread of the finding it is about';
    return `Your answer will stand in the ${which}.`;
  }
  switch (verb) {
    case 'review':
      return 'Your findings will stand at their lines and in the summary of the pull request.';
    case 'describe':
      return 'Your text will stand in the description of the pull request.';
    case 'plan':
      return `Your plan will stand in a comment on the ${where}, for approval.`;
    default:
      return storedVerb(verb)?.silent === true
        ? `Your labels will stand on the ${where}.`
        : `Your answer will stand in a report in the conversation of the ${where}.`;
  }
}
