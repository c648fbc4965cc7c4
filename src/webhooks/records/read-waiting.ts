import { parseJson } from '../../contract/json.ts';
import { SavedSession } from '../../contract/session.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { Candidate } from '../triggers/find-candidate.ts';

/**
 * Reads the sessions that wait on a thread, newest first. Unreadable ones are reported and omitted.
 */
export async function readWaitingSessions(
  store: StateStore,
  { thread }: Candidate,
  log: (message: string) => void,
): Promise<readonly SavedSession[]> {
  const keys = await store.list(stateKeys.waiting(thread.number, ''));
  const sessions = await Promise.all(keys.toReversed().map((key) => readSession(store, key, log)));
  return sessions.filter((session) => session !== null);
}

/**
 * Reads the last stopped session of a thread that can continue; null for none or an unreadable one.
 */
export async function readStoppedSession(
  store: StateStore,
  { thread }: Pick<Candidate, 'thread'>,
  log: (message: string) => void,
): Promise<SavedSession | null> {
  return readSession(store, stateKeys.stopped(thread.number), log);
}

async function readSession(
  store: StateStore,
  key: string,
  log: (message: string) => void,
): Promise<SavedSession | null> {
  const text = await store.get(key);
  if (text === null) return null;
  const parsed = SavedSession.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  log(`The session at ${key} cannot be read and is skipped: ${parsed.error.issues[0]?.message}.`);
  return null;
}
