import { parseJson } from '../../contract/json.ts';
import { SavedSession, type StateStore, stoppedKey, waitingKey } from '../../contract/session.ts';
import type { Candidate } from '../event/find-candidate.ts';

/** The session that waits for an answer on a thread, or null; one that cannot be read counts as none, and is reported. */
export async function readWaiting(
  store: StateStore,
  { repository, thread }: Candidate,
  log: (message: string) => void,
): Promise<SavedSession | null> {
  return readSession(store, waitingKey(repository.owner, repository.name, thread.number), log);
}

/** The session that was stopped last on a thread and can go on, or null; likewise. */
export async function readStopped(
  store: StateStore,
  { repository, thread }: Pick<Candidate, 'repository' | 'thread'>,
  log: (message: string) => void,
): Promise<SavedSession | null> {
  return readSession(store, stoppedKey(repository.owner, repository.name, thread.number), log);
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
  log(`The session at ${key} cannot be read and is left alone: ${parsed.error.issues[0]?.message}.`);
  return null;
}
