import type { IncomingEvent } from '../../contract/event.ts';
import type { JsonObject } from '../../contract/json.ts';
import { alarmEvent } from '../../contract/thread-records.ts';
import { integerAt, objectAt } from './payload-reader.ts';

/** The payload that GitHub sends with an event. */
interface Shape {
  /** Objects and lists that have to be there, by their paths. */
  readonly has: readonly string[];
  /** Keys that may stand beside those that any event has, and no others; left out, any that is no other event's subject. */
  readonly only?: readonly string[];
}

/**
 * The events that steer anything, each with the shape of its payload (GitHub docs, "Webhook events and payloads"). GitHub signs the body
 * and not the header that names the event: a body counts under a name of these only where it has its shape.
 */
export const eventShapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['issue_comment', { has: ['issue', 'comment'] }],
  ['pull_request_review_comment', { has: ['pull_request', 'comment'] }],
  ['pull_request_review', { has: ['pull_request', 'review'] }],
  ['check_run', { has: ['check_run'] }],
  ['issues', { has: ['issue'] }],
  ['pull_request', { has: ['pull_request'] }],
  ['repository', { has: ['repository'], only: [] }],
  ['installation', { has: ['installation.account'], only: ['repositories', 'requester'] }],
  [
    'installation_repositories',
    {
      has: ['installation.account', 'repositories_removed'],
      only: ['repository_selection', 'repositories_added', 'requester'],
    },
  ],
]);

/** What an event can be about; it is about those of them alone that its shape names. */
const subjects = [
  'issue',
  'comment',
  'pull_request',
  'review',
  'thread',
  'check_run',
  'deployment',
  'discussion',
];

/** The keys that the payload of any event may have. */
const common = ['action', 'changes', 'enterprise', 'installation', 'organization', 'repository', 'sender'];

/** Says why a signed delivery is none that GitHub sends, in a sentence; null where nothing speaks against it. */
export function eventFault({ name, payload }: Pick<IncomingEvent, 'name' | 'payload'>): string | null {
  if (!/^[a-z][a-z0-9_]{0,99}$/.test(name) || name === alarmEvent)
    return 'X-GitHub-Event names no event of GitHub.';
  const odd = ['installation', 'repository', 'sender'].find((key) => !hasFitId(payload, key));
  if (odd !== undefined) return `The body is malformed: ${odd}.id is no id.`;
  const shape = eventShapes.get(name);
  return shape === undefined || hasShape(payload, shape)
    ? null
    : `The body is not that of an event ${name}. GitHub does not sign the header X-GitHub-Event.`;
}

function hasShape(payload: JsonObject, { has, only }: Shape): boolean {
  const isThere = (path: string) =>
    Array.isArray(payload[path]) || objectAt(payload, ...path.split('.')) !== null;
  if (!has.every(isThere)) return false;
  const keys = Object.keys(payload).filter((key) => !has.includes(key));
  return only === undefined
    ? !keys.some((key) => subjects.includes(key))
    : keys.every((key) => common.includes(key) || only.includes(key));
}

function hasFitId(payload: JsonObject, key: string): boolean {
  if (!Object.hasOwn(payload, key) || payload[key] === null) return true;
  const one = objectAt(payload, key);
  return one !== null && (!Object.hasOwn(one, 'id') || (integerAt(one, 'id') ?? 0) > 0);
}
