import type { JsonObject } from './json.ts';

/** One webhook delivery or workflow event, verified but otherwise as GitHub sent it. */
export interface IncomingEvent {
  /** The event's name: `issue_comment`, `pull_request`. */
  readonly name: string;
  /** GitHub's GUID; null for an event file. */
  readonly delivery_id: string | null;
  readonly payload: JsonObject;
  /** Which command of its comment the payload has, from 1; missing where it has the whole. */
  readonly part?: number;
}
