import type { IncomingEvent } from '../../contract/event.ts';

/**
 * JSON escapes that the database's `jsonb` rejects: NUL and unpaired surrogates (PostgreSQL, "JSON
 * Types").
 */
const refused = /\\u(?:0000|d[89a-f])/;
const escapes = /\\(?:u(?:0000|d[89a-f][0-9a-f]{2})|[\s\S])/g;

/**
 * Returns the event with U+FFFD for each character that the database rejects, in keys and values.
 */
export function storableEvent(event: IncomingEvent): IncomingEvent {
  // Paired surrogates are not escaped (ECMAScript, "JSON.stringify").
  const text = JSON.stringify(event);
  if (!refused.test(text)) return event;
  return JSON.parse(text.replace(escapes, (found) => (found.length === 6 ? '\ufffd' : found)));
}
