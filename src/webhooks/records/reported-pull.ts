import type { IncomingEvent } from '../../contract/event.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { Candidate } from '../triggers/find-candidate.ts';
import type { ReportedPull } from '../triggers/is-behind.ts';
import { stringAt, timeAt } from '../triggers/payload-reader.ts';
import { readHeadRecord } from './head-record.ts';

/** Returns the pull request as the event or an earlier one reported it; null for none. */
export async function reportedPull(
  { name, payload }: IncomingEvent,
  { thread }: Pick<Candidate, 'thread'>,
  store: StateStore,
): Promise<ReportedPull | null> {
  if (thread.kind !== 'pull_request') return null;
  const head = stringAt(payload, 'pull_request', 'head', 'sha');
  const base = stringAt(payload, 'pull_request', 'base', 'ref');
  const updatedAt = timeAt(payload, 'pull_request', 'updated_at');
  if (name.startsWith('pull_request') && head !== null && updatedAt !== null)
    return { head, base, updatedAt };
  const recorded = await readHeadRecord(store, stateKeys.head(thread.number));
  return recorded && { head: recorded.sha, base: null, updatedAt: Date.parse(recorded.at) };
}
