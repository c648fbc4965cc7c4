import type { IncomingEvent } from '../../contract/event.ts';
import type { Json, JsonObject } from '../../contract/json.ts';

/** Returns the object at a path of keys; null if it is missing or of another kind. */
export function objectAt(payload: JsonObject, ...path: readonly string[]): JsonObject | null {
  const value = valueAt(payload, path);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}

/** Returns the string at a path, or null. */
export function stringAt(payload: JsonObject, ...path: readonly string[]): string | null {
  const value = valueAt(payload, path);
  return typeof value === 'string' ? value : null;
}

/** Returns the safe integer at a path, or null. */
export function integerAt(payload: JsonObject, ...path: readonly string[]): number | null {
  const value = valueAt(payload, path);
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

/** Returns the time at a path in milliseconds since 1970, or null. */
export function timeAt(payload: JsonObject, ...path: readonly string[]): number | null {
  const text = stringAt(payload, ...path);
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

/** Returns true only if the value at the path is `true`. */
export function isTrueAt(payload: JsonObject, ...path: readonly string[]): boolean {
  return valueAt(payload, path) === true;
}

function valueAt(payload: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = payload;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** Returns the issue or pull request that an event is about; null for any other event. */
export function threadIn(payload: JsonObject): JsonObject | null {
  return objectAt(payload, 'issue') ?? objectAt(payload, 'pull_request');
}

/** Returns true unless the event is about an issue that is no pull request. */
export function isOnPull(payload: JsonObject): boolean {
  const issue = objectAt(payload, 'issue');
  return issue === null || objectAt(issue, 'pull_request') !== null;
}

/** Returns true if an edited pull request got another base branch, and so another diff. */
export function isRetargeted(payload: JsonObject): boolean {
  return objectAt(payload, 'changes', 'base') !== null;
}

/** Returns true if an event reports that a pull request was merged, or closed without a merge. */
export function isClosing({ name, payload }: IncomingEvent): boolean {
  return name === 'pull_request' && stringAt(payload, 'action') === 'closed';
}

/** Returns true if an event reports that a pull request was merged. */
export function isMerge(event: IncomingEvent): boolean {
  return isClosing(event) && isTrueAt(event.payload, 'pull_request', 'merged');
}
