import { createHash } from 'node:crypto';
import type { IncomingEvent } from '../../contract/event.ts';
import { type StateRoot, sharedKeys } from '../../contract/state-store.ts';

/**
 * True unless the same body came before under another delivery id. GitHub signs the body alone, so whoever got hold of a signed one
 * could send it again under a fresh id. The same delivery, sent again, is none of that. A button of a check run is the exception: GitHub
 * does not say when it was pressed, so that pressing it again looks the same.
 */
export async function isFirstOfBody(
  { name, delivery_id, payload }: IncomingEvent,
  store: Pick<StateRoot, 'claim' | 'get'>,
): Promise<boolean> {
  if (delivery_id === null || name === 'check_run') return true;
  const key = sharedKeys.body(createHash('sha256').update(JSON.stringify(payload)).digest('hex'));
  return (await store.claim(key, delivery_id)) || (await store.get(key)) === delivery_id;
}
