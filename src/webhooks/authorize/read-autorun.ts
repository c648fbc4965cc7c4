import type { IncomingEvent } from '../../contract/event.ts';
import { parseJson } from '../../contract/json.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { Autorun, autorunKey } from '../../contract/thread-records.ts';
import type { Candidate } from '../triggers/find-candidate.ts';

/**
 * Returns the handoff that allows our own label on an issue to start a run; null for every other
 * event. Only our store counts, since anybody can write to GitHub.
 */
export async function readAutorun(
  event: IncomingEvent,
  { thread, sender }: Candidate,
  ownLogins: readonly string[],
  store: StateStore,
): Promise<Autorun | null> {
  if (event.name !== 'issues' || !ownLogins.includes(sender)) return null;
  const text = await store.get(autorunKey(thread.number));
  return text === null ? null : (Autorun.safeParse(parseJson(text)).data ?? null);
}
