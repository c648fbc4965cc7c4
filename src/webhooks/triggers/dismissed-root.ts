import { dismissalIn } from '../../contract/dismissal.ts';
import type { IncomingEvent } from '../../contract/event.ts';
import { integerAt, stringAt } from './payload-reader.ts';

/** A mention at the start of a comment. */
const anyAddress = /^\s*@\S{1,100}\s/u;

/**
 * Returns the first comment of the review thread in which an answer may dismiss a finding; null for
 * any other event. `readDismissal` decides, with the names that address us.
 */
export function dismissedRootOf({ name, payload }: IncomingEvent): number | null {
  const body = stringAt(payload, 'comment', 'body');
  if (name !== 'pull_request_review_comment' || body === null) return null;
  const dismisses = dismissalIn(body.replace(anyAddress, '')) !== null;
  return dismisses ? integerAt(payload, 'comment', 'in_reply_to_id') : null;
}
