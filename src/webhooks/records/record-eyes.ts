import type { StateStore } from '../../contract/state-store.ts';
import { type EyesReaction, eyesKey } from '../../contract/thread-records.ts';
import type { Trigger } from '../commands/trigger.ts';

/** Keeps that a comment gets our 👀 as long as its delivery is handled; does nothing where there is no comment or no delivery. */
export async function keepEyes(
  store: StateStore,
  { comment, repository: { owner, name } }: Trigger,
  delivery_id: string | null,
): Promise<void> {
  if (comment === null || delivery_id === null) return;
  const given: EyesReaction = {
    ...{ version: 1, repository: { owner, name }, comment, delivery_id },
  };
  await store.set(eyesKey(comment), JSON.stringify(given));
}
