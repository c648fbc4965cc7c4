import type { IncomingEvent } from '../../contract/event.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { Candidate } from '../triggers/find-candidate.ts';
import type { ToldPull } from '../triggers/is-behind.ts';
import { stringAt, timeAt } from '../triggers/payload-reader.ts';
import { headKey, readHead } from './head-record.ts';

/** What the event itself tells of its pull request, or else what earlier ones did; null where none did. */
export async function toldPull(
  { name, payload }: IncomingEvent,
  { thread }: Pick<Candidate, 'thread'>,
  store: StateStore,
): Promise<ToldPull | null> {
  if (thread.kind !== 'pull_request') return null;
  const head = stringAt(payload, 'pull_request', 'head', 'sha');
  const base = stringAt(payload, 'pull_request', 'base', 'ref');
  const updatedAt = timeAt(payload, 'pull_request', 'updated_at');
  if (name.startsWith('pull_request') && head !== null && updatedAt !== null)
    return { head, base, updatedAt };
  const kept = await readHead(store, headKey(thread.number));
  return kept && { head: kept.sha, base: null, updatedAt: Date.parse(kept.at) };
}
