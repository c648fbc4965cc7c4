import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { EyesReaction } from '../../contract/thread-records.ts';
import type { Trigger } from '../commands/trigger.ts';

/**
 * Records our 👀 on a comment while its delivery is handled. Does nothing without a comment or
 * delivery.
 */
export async function saveEyes(
  store: StateStore,
  { comment, repository: { owner, name } }: Trigger,
  delivery_id: string | null,
): Promise<void> {
  if (comment === null || delivery_id === null) return;
  const eyes: EyesReaction = {
    ...{ version: 1, repository: { owner, name }, comment, delivery_id },
  };
  await store.set(stateKeys.eyes(comment), JSON.stringify(eyes));
}
