import type { IncomingEvent } from '../../contract/event.ts';
import type { Ignored } from '../commands/trigger.ts';
import { isBuildEvent, whyNoFailure } from './build-event.ts';
import { asPullEvent } from './check-run-click.ts';
import { isCommentEdit, readCommentEdit } from './comment-edited.ts';
import { triggerEvent } from './events.ts';
import { integerAt, isOnPull, isRetargeted, stringAt, threadIn } from './payload-reader.ts';

/** An event that may be a trigger, and its thread. */
export interface Candidate {
  readonly kind: 'candidate';
  readonly repository: { readonly owner: string; readonly name: string };
  readonly thread: { readonly kind: 'pull_request' | 'issue'; readonly number: number };
  /** The actor's login in the event. */
  readonly sender: string;
  /** True for a comment without `@` or a line that begins with `/`: it can only answer us. */
  readonly silent: boolean;
}

/**
 * Excludes events that cannot be triggers under any configuration, before the API is asked.
 * `findTrigger` reads the others.
 */
export function findCandidate(event: IncomingEvent): Candidate | Ignored {
  const { name, payload } = asPullEvent(event);
  const action = stringAt(payload, 'action') ?? '';
  const entry = triggerEvent(event);
  if (entry === null) return { kind: 'ignored', reason: `${name}.${action} starts nothing` };
  const ignored = whyIgnored({ ...event, name, payload });
  if (ignored !== null) return { kind: 'ignored', reason: ignored };
  const owner = stringAt(payload, 'repository', 'owner', 'login');
  const repository = stringAt(payload, 'repository', 'name');
  const thread = threadIn(payload);
  const number = thread && integerAt(thread, 'number');
  const sender = stringAt(payload, 'sender', 'login');
  if (!owner || !repository || !number || !sender) {
    return { kind: 'ignored', reason: `${name}.${action} without repository, thread or sender` };
  }
  const text = stringAt(payload, 'comment', 'body') ?? stringAt(payload, 'review', 'body') ?? '';
  return {
    kind: 'candidate',
    repository: { owner, name: repository },
    thread: { kind: isOnPull(payload) ? 'pull_request' : 'issue', number },
    sender,
    silent: entry.speech === true && !/@|^[ \t]*\//m.test(text),
  };
}

/** Returns why an event that may start something starts nothing by its own text; else null. */
function whyIgnored(event: IncomingEvent): string | null {
  const { name, payload } = event;
  if (isBuildEvent(name)) return whyNoFailure(name, payload);
  if (name === 'pull_request' && stringAt(payload, 'action') === 'edited' && !isRetargeted(payload))
    return 'the base branch stays';
  if (!isCommentEdit(event)) return null;
  const edit = readCommentEdit(event, []);
  return edit.kind === 'ignored' ? edit.reason : null;
}
