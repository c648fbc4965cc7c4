import type { Octokit } from '@octokit/rest';
import { ConfigError } from '../src/contract/errors.ts';
import type { IncomingEvent } from '../src/contract/event.ts';
import { type JsonObject, parseJson } from '../src/contract/json.ts';
import { modeEvent } from '../src/contract/thread-records.ts';
import { integerAt, objectAt, stringAt } from '../src/webhooks/triggers/payload-reader.ts';
import type { Job } from './job.ts';
import { threadEvent } from './workflow-events.ts';

/** The types of `pull_request` that start a review by themselves. */
const reviewed = ['opened', 'ready_for_review', 'synchronize', 'reopened'];

/**
 * Returns the event that the input `mode` makes of the job's: a review of its pull request, or an
 * implementation of its issue. A change of the pull request itself counts as a push to it, which is
 * reviewed for anyone. Everything else counts as a request by the account that caused the event.
 * Throws `ConfigError` for an event without such a thread.
 */
export async function eventOfMode(
  mode: 'review' | 'issue',
  job: Pick<Job, 'eventName' | 'payload' | 'owner' | 'repository'>,
  octokit: Octokit,
): Promise<IncomingEvent> {
  const { eventName, payload } = job;
  if (mode === 'issue') return issueEvent(eventName, payload);
  if (threadEvent(eventName) === 'pull_request') {
    const action = stringAt(payload, 'action') ?? '';
    const kept = reviewed.includes(action) ? payload : { ...payload, action: 'synchronize' };
    return { name: 'pull_request', delivery_id: null, payload: kept };
  }
  const number = pullNumber(payload);
  if (number === null) throw noThread('review', eventName, 'a pull request');
  const { data } = await octokit.rest.pulls.get({
    owner: job.owner,
    repo: job.repository,
    pull_number: number,
  });
  const pull_request = parseJson(JSON.stringify(data)) as JsonObject;
  return request('review', { ...withoutThread(payload), pull_request });
}

function issueEvent(eventName: string, payload: JsonObject): IncomingEvent {
  const issue = objectAt(payload, 'issue');
  if (issue === null || objectAt(issue, 'pull_request') !== null)
    throw noThread('issue', eventName, 'an issue');
  return request('implement', { ...withoutThread(payload), issue });
}

const request = (action: 'review' | 'implement', payload: JsonObject): IncomingEvent => ({
  name: modeEvent,
  delivery_id: null,
  payload: { ...payload, action },
});

/** Removes what steers other events: the mode alone decides. */
function withoutThread({ repository, sender, installation }: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries({ repository, sender, installation }).filter(([, value]) => value !== undefined),
  ) as JsonObject;
}

/** Returns the number of the pull request that an event is about; null for none. */
function pullNumber(payload: JsonObject): number | null {
  if (objectAt(payload, 'issue', 'pull_request') !== null) return integerAt(payload, 'issue', 'number');
  const subjects = ['workflow_run', 'check_run', 'check_suite'].map((key) => objectAt(payload, key));
  const [first] = subjects.flatMap((subject) => {
    const listed = subject?.pull_requests;
    return Array.isArray(listed) ? listed : [];
  });
  const listed = typeof first === 'object' && first !== null && !Array.isArray(first) ? first : {};
  return integerAt(payload, 'pull_request', 'number') ?? integerAt(listed, 'number');
}

function noThread(mode: string, eventName: string, thread: string): ConfigError {
  return new ConfigError(
    `The input mode: ${mode} needs an event with ${thread}, and ${eventName} has none. Start the workflow by another event, or set the input prompt.`,
    { key: 'mode' },
  );
}
