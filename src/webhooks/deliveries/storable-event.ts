import type { IncomingEvent } from '../../contract/event.ts';

/** How JSON spells what the database's `jsonb` refuses: NUL, and halves of surrogate pairs (PostgreSQL, "JSON Types"). */
const refused = /\\u(?:0000|d[89a-f])/;
const escapes = /\\(?:u(?:0000|d[89a-f][0-9a-f]{2})|[\s\S])/g;

/** The event with U+FFFD in place of each character that the database refuses, in keys and values at any depth. */
export function storableEvent(event: IncomingEvent): IncomingEvent {
  // Well-formed pairs are not escaped (ECMAScript, "JSON.stringify").
  const text = JSON.stringify(event);
  if (!refused.test(text)) return event;
  return JSON.parse(text.replace(escapes, (found) => (found.length === 6 ? '\ufffd' : found)));
}
