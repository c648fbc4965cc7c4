import { createHash } from 'node:crypto';
import type { IncomingEvent } from '../../contract/event.ts';
import { type StateRoot, sharedKeys } from '../../contract/state-store.ts';

/**
 * Returns false if the same body came before under another delivery id. GitHub signs only the body,
 * so a signed one could be sent again with a new id. A redelivery keeps its id. Check run buttons
 * are excepted: two clicks have equal bodies.
 */
export async function isFirstOfBody(
  { name, delivery_id, payload }: IncomingEvent,
  store: Pick<StateRoot, 'claim' | 'get'>,
): Promise<boolean> {
  if (delivery_id === null || name === 'check_run') return true;
  const key = sharedKeys.body(createHash('sha256').update(JSON.stringify(payload)).digest('hex'));
  return (await store.claim(key, delivery_id)) || (await store.get(key)) === delivery_id;
}
