import { randomUUID } from 'node:crypto';
import type { Message } from '../../contract/message.ts';

/** The ids of all calls of a conversation. */
export function callIds(messages: readonly Message[]): Set<string> {
  const ids = new Set<string>();
  for (const { parts } of messages) {
    for (const part of parts) if (part.type === 'tool_call') ids.add(part.id);
  }
  return ids;
}

/**
 * Ids for the calls of one reply, none of them used before: servers leave ids out, or give the same ones in each turn.
 * The function returned gives the id to use for one that came.
 */
export function uniqueIds(used: ReadonlySet<string>): (id: string) => string {
  const seen = new Set(used);
  return (id) => {
    const unique = id === '' || seen.has(id) ? `call_${randomUUID()}` : id;
    seen.add(unique);
    return unique;
  };
}
