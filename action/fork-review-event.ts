import type { Octokit } from '@octokit/rest';
import type { IncomingEvent } from '../src/contract/event.ts';
import { type JsonObject, parseJson } from '../src/contract/json.ts';
import { integerAt, objectAt, stringAt } from '../src/webhooks/triggers/payload-reader.ts';
import type { Job } from './job.ts';

/** The pull request of a fork whose first stage ended, as an event; or why there is none. */
type ForkReview = IncomingEvent | { readonly kind: 'none'; readonly reason: string };

/** Conclusions of a first stage that ran. One that waits for approval did not. */
const ran = ['success', 'failure', 'neutral', 'timed_out'];

/** Returns true for the end of a workflow that a fork's pull request started. */
export function isForkRun({ eventName, payload }: Pick<Job, 'eventName' | 'payload'>): boolean {
  if (eventName !== 'workflow_run' || stringAt(payload, 'action') !== 'completed') return false;
  const from = integerAt(payload, 'workflow_run', 'head_repository', 'id');
  return from !== integerAt(payload, 'repository', 'id');
}

/** Tells what becomes of the failed build of a fork; null for any other event. */
export function forkBuildNotice(job: Pick<Job, 'eventName' | 'payload'>): string | null {
  const isFailed = stringAt(job.payload, 'workflow_run', 'conclusion') === 'failure';
  if (!isForkRun(job) || !isFailed) return null;
  return 'The failed build of a fork is never repaired. Its pull request is reviewed at most.';
}

/**
 * Finds the pull request of a fork by the head of its first stage. That stage ran code of the fork,
 * so nothing that it left is read. GitHub names no pull request here for a fork, but the event's
 * head owner, branch and commit are GitHub's own. Only an open pull request with exactly that
 * commit counts.
 */
export async function forkReviewEvent(
  { owner, repository: repo, payload }: Pick<Job, 'owner' | 'repository' | 'payload'>,
  octokit: Octokit,
): Promise<ForkReview> {
  const none = (reason: string): ForkReview => ({ kind: 'none', reason });
  const run = objectAt(payload, 'workflow_run') ?? {};
  const conclusion = stringAt(run, 'conclusion') ?? '';
  if (stringAt(run, 'event') !== 'pull_request')
    return none('no pull request of a fork started that workflow');
  if (!ran.includes(conclusion)) return none(`the first stage ended with ${conclusion}`);
  const [from, branch] = [stringAt(run, 'head_repository', 'owner', 'login'), stringAt(run, 'head_branch')];
  const sha = stringAt(run, 'head_sha');
  if (from === null || branch === null || sha === null) return none('the fork is gone');
  const head = `${from}:${branch}`;
  const { data } = await octokit.rest.pulls.list({ owner, repo, state: 'open', head, per_page: 100 });
  const found = data.find((pull) => pull.head.sha === sha);
  if (found === undefined)
    return none(`no open pull request has the head ${sha.slice(0, 12)} of ${head} any more`);
  const plain = parseJson(JSON.stringify(found)) as JsonObject;
  const event: JsonObject = { ...payload, action: 'synchronize', number: found.number, pull_request: plain };
  return { name: 'pull_request', delivery_id: null, payload: event };
}
