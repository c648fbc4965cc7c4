import { notYetTold, parseHeadRecord, recordOfOwnHead } from '../../contract/known-head.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { PublishPorts } from '../posting/ports.ts';

/**
 * Stores that a commit on a pull request's branch is ours, so that requests from before it need no
 * confirmation. Repeating it has no effect.
 */
export async function saveOwnHead(
  { thread, checkout, triggered_at }: RunPlan,
  { sha, onto }: { readonly sha: string; readonly onto: string },
  { store }: Pick<PublishPorts, 'store'>,
): Promise<void> {
  if (thread?.kind !== 'pull_request') return;
  const key = stateKeys.head(thread.number);
  const now = new Date();
  // The requester of the run had seen its head. Another one came while the run worked.
  const ontoSince = onto === checkout.sha ? triggered_at : notYetTold;
  const record = recordOfOwnHead(parseHeadRecord(await store.get(key)), { sha, onto, ontoSince, now });
  await store.set(key, JSON.stringify(record));
}
