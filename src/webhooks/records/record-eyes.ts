import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { EyesReaction } from '../../contract/thread-records.ts';
import { requestCode } from '../commands/request-quote.ts';
import type { Trigger } from '../commands/trigger.ts';

/**
 * Records our 👀 on a comment while its delivery is handled. Does nothing without a comment or
 * delivery.
 */
export async function saveEyes(
  store: StateStore,
  trigger: Trigger,
  delivery_id: string | null,
): Promise<void> {
  const {
    comment,
    repository: { owner, name },
  } = trigger;
  if (comment === null || delivery_id === null) return;
  const eyes: EyesReaction = {
    ...{ version: 1, repository: { owner, name }, comment, delivery_id },
    request: { thread: trigger.thread.number, login: trigger.actor.login, quote: requestCode(trigger) },
  };
  await store.set(stateKeys.eyes(comment), JSON.stringify(eyes));
}
