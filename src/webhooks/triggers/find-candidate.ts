import type { IncomingEvent } from '../../contract/event.ts';
import { alarmEvent } from '../../contract/thread-records.ts';
import type { Ignored } from '../commands/trigger.ts';
import { asPullEvent } from './check-press.ts';
import { isCommentEdit, readCommentEdit } from './comment-edited.ts';
import { integerAt, objectAt, stringAt } from './payload-reader.ts';

/** An event that may turn out to be a trigger, and the thread it belongs to. */
export interface Candidate {
  readonly kind: 'candidate';
  readonly repository: { readonly owner: string; readonly name: string };
  readonly thread: { readonly kind: 'pull_request' | 'issue'; readonly number: number };
  /** The login that the event names as its actor. */
  readonly sender: string;
  /** True for a comment without `@` that does not begin with `/`: it can only be the answer to a question. */
  readonly silent: boolean;
}

/** The events that may start something, each with its actions; all but the alarms, which are the App's own, come from GitHub. */
export const candidateEvents: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['issue_comment', new Set(['created', 'edited'])],
  [alarmEvent, new Set(['reminder', 'deadline'])],
  ['pull_request_review_comment', new Set(['created'])],
  ['pull_request_review', new Set(['submitted'])],
  ['check_run', new Set(['requested_action', 'rerequested'])],
  ['issues', new Set(['labeled', 'assigned'])],
  [
    'pull_request',
    new Set([
      'opened',
      'ready_for_review',
      'synchronize',
      'reopened',
      'edited',
      'labeled',
      'review_requested',
    ]),
  ],
]);

/**
 * Sorts out, before anything is asked of the API, what cannot be a trigger whatever the configuration says. What is
 * left is judged by `findTrigger`.
 */
export function findCandidate(event: IncomingEvent): Candidate | Ignored {
  const { name, payload } = asPullEvent(event);
  const action = stringAt(payload, 'action') ?? '';
  if (!candidateEvents.get(name)?.has(action))
    return { kind: 'ignored', reason: `${name}.${action} starts nothing` };
  if (name === 'pull_request' && action === 'edited' && !isRetargeted(payload))
    return { kind: 'ignored', reason: 'the base branch stays' };
  if (isCommentEdit(event)) {
    const edit = readCommentEdit(event, []);
    if (edit.kind === 'ignored') return edit;
  }
  const owner = stringAt(payload, 'repository', 'owner', 'login');
  const repository = stringAt(payload, 'repository', 'name');
  const thread = objectAt(payload, 'issue') ?? objectAt(payload, 'pull_request');
  const number = thread && integerAt(thread, 'number');
  const sender = stringAt(payload, 'sender', 'login');
  if (!owner || !repository || !number || !sender) {
    return { kind: 'ignored', reason: `${name}.${action} without repository, thread or sender` };
  }
  const onIssue = objectAt(payload, 'issue') !== null && objectAt(payload, 'issue', 'pull_request') === null;
  return {
    kind: 'candidate',
    repository: { owner, name: repository },
    thread: { kind: onIssue ? 'issue' : 'pull_request', number },
    sender,
    silent:
      action !== 'edited' &&
      isSilent(name, stringAt(payload, 'comment', 'body') ?? stringAt(payload, 'review', 'body')),
  };
}

function isSilent(name: string, body: string | null): boolean {
  if (name === alarmEvent) return false;
  if (name === 'issues' || name === 'pull_request' || name === 'check_run') return false;
  return !body?.includes('@') && !body?.trimStart().startsWith('/');
}

/** Whether an edited pull request got another base branch, and so another diff. */
export function isRetargeted(payload: IncomingEvent['payload']): boolean {
  return objectAt(payload, 'changes', 'base') !== null;
}
