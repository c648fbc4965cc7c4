import { parseJson } from '../contract/json.ts';
import { SavedSession, type StateStore, waitingKey } from '../contract/session.ts';
import type { Candidate } from './find-candidate.ts';

/** The session that waits for an answer on a thread, or null; one that cannot be read counts as none, and is reported. */
export async function readWaiting(
  store: StateStore,
  { repository, thread }: Candidate,
  log: (message: string) => void,
): Promise<SavedSession | null> {
  const key = waitingKey(repository.owner, repository.name, thread.number);
  const text = await store.get(key);
  if (text === null) return null;
  const parsed = SavedSession.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  log(`The session at ${key} cannot be read and is left alone: ${parsed.error.issues[0]?.message}.`);
  return null;
}
