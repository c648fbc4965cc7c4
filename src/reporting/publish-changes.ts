import type { Outcome } from '../contract/outcome.ts';
import type { RunPlan } from '../contract/plan.ts';
import { readApiFailure } from './api-failure.ts';
import { type CommitResult, commitChanges } from './commit-changes.ts';
import { commitMessage } from './commit-message.ts';
import { decideOutlet, type Outlet, weakerOutlet } from './decide-outlet.ts';
import { codeSpan, cutText, oneLine } from './markdown.ts';
import { createBranch, deleteBranch, openPullRequest } from './open-pull-request.ts';
import type { PublishPorts } from './ports.ts';
import { publicText } from './public-text.ts';
import type { Published } from './published.ts';
import { renderPullRequest } from './render-pull-request.ts';

/** Where the changes of a run went, or are to go still. */
export interface ChangesPublished extends Pick<Published, 'commit' | 'pull_request'> {
  /** `suggestions` and `patch` are for the caller to make; the others are done. */
  readonly outlet: Outlet['kind'];
  readonly downgrades: readonly string[];
  readonly failures: readonly string[];
}

/**
 * Commits a run's changes where the plan says and opens the pull request where it asks for one. What GitHub
 * refuses becomes the next weaker outlet, with the reason; only defects throw.
 */
export async function publishChanges(
  outcome: Outcome,
  plan: RunPlan,
  ports: PublishPorts,
): Promise<ChangesPublished> {
  const hasDiff = ports.pullRequestDiff !== null;
  const { outlet, reason } = decideOutlet(outcome, plan, {
    protectedAllow: ports.config.protected?.allow ?? [],
    canPush: ports.pushCommit !== undefined,
    hasDiff,
  });
  const { push } = plan;
  if (outlet.kind !== 'commit' || push.kind === 'none') {
    return { outlet: outlet.kind, downgrades: reason === null ? [] : [reason], failures: [] };
  }

  const result = await commitToBranch(outcome, plan, outlet.via, ports);
  if (result.kind !== 'committed') {
    const why =
      result.kind === 'moved'
        ? `Not committed, as ${codeSpan(push.branch)} moved while the run worked.`
        : `Not committed, as GitHub refused it: ${saidByGitHub(result.message)}`;
    return { outlet: weakerOutlet(plan, hasDiff).kind, downgrades: [why], failures: [] };
  }
  const commit = { sha: result.sha, url: result.url, branch: push.branch };
  const done = { outlet: 'commit' as const, commit, downgrades: [] };
  if (push.kind === 'branch') return { ...done, failures: [] };
  try {
    const text = renderPullRequest(outcome, plan, ports.runUrl);
    return { ...done, failures: [], pull_request: await openPullRequest(plan, push, text, ports) };
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null) throw error;
    const message = saidByGitHub(failure.message);
    const where = `The changes are on ${codeSpan(push.branch)}.`;
    return { ...done, failures: [`The pull request could not be opened: ${message} ${where}`] };
  }
}

/** A refusal's own words, fit for the report. */
function saidByGitHub(message: string): string {
  return cutText(publicText(oneLine(message)), 400, '…');
}

async function commitToBranch(
  outcome: Outcome,
  plan: RunPlan,
  via: 'api' | 'push',
  ports: PublishPorts,
): Promise<CommitResult> {
  const { push } = plan;
  if (push.kind === 'none') return { kind: 'failed', message: push.reason };
  const order = {
    plan,
    branch: push.branch,
    expectedSha: push.expected_sha,
    changes: outcome.changes,
    message: commitMessage(outcome, plan),
    via,
  };
  try {
    const made = push.kind === 'new_branch' ? await createBranch(plan, push, ports) : false;
    const result = await commitChanges(order, ports);
    // A branch without a commit would be a leftover that says nothing.
    if (made && result.kind !== 'committed') await deleteBranch(plan, push.branch, ports);
    return result;
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null) throw error;
    return { kind: 'failed', message: failure.message };
  }
}
