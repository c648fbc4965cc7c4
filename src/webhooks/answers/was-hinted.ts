import { stateKeys } from '../../contract/state-keys.ts';
import type { EventRequest } from '../authorize/authorize-event.ts';
import type { DecideContext } from '../authorize/decide-context.ts';

/**
 * Returns true if a person who answers a question without naming us was told its options before.
 * Remembers them otherwise, except in a dry run.
 */
export async function wasHinted(
  { trigger, waiting }: EventRequest,
  { store, settings }: Pick<DecideContext, 'store' | 'settings'>,
): Promise<boolean> {
  if (trigger.unaddressed !== true || waiting === null) return false;
  const key = stateKeys.hinted(waiting.run_id, trigger.actor.login);
  return settings.dryRun ? (await store.get(key)) !== null : !(await store.claim(key, trigger.at));
}
