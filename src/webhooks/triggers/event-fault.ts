import type { IncomingEvent } from '../../contract/event.ts';
import type { JsonObject } from '../../contract/json.ts';
import { modeEvent, timerEvent } from '../../contract/thread-records.ts';
import { type EventShape, eventShapes } from './events.ts';
import { integerAt, objectAt } from './payload-reader.ts';

/** Possible subjects of events; an event has only those of its shape. */
const subjects = [
  'issue',
  'comment',
  'pull_request',
  'review',
  'thread',
  'check_run',
  'check_suite',
  'workflow_run',
  'deployment',
  'discussion',
];

/** Keys that any payload may have. */
const common = ['action', 'changes', 'enterprise', 'installation', 'organization', 'repository', 'sender'];

/** Returns why a signed delivery is not from GitHub, as a sentence; null if nothing is wrong. */
export function eventFault({ name, payload }: Pick<IncomingEvent, 'name' | 'payload'>): string | null {
  if (!/^[a-z][a-z0-9_]{0,99}$/.test(name) || [timerEvent, modeEvent].includes(name))
    return 'X-GitHub-Event names no event of GitHub.';
  const odd = ['installation', 'repository', 'sender'].find((key) => !hasFitId(payload, key));
  if (odd !== undefined) return `The body is malformed: ${odd}.id is not an id.`;
  const shape = Object.hasOwn(eventShapes, name) ? eventShapes[name] : undefined;
  return shape === undefined || hasShape(payload, shape)
    ? null
    : `The body is not of an event ${name}. GitHub does not sign the header X-GitHub-Event.`;
}

function hasShape(payload: JsonObject, { has, only }: EventShape): boolean {
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
