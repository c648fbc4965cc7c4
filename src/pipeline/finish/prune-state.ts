import { appliedKey, suggestionsKey } from '../../contract/review-record.ts';
import { stopKey } from '../../contract/run-records.ts';
import { type StateRoot, sharedKeys } from '../../contract/state-store.ts';
import { controlsKey } from '../../contract/thread-records.ts';
import { answeredKey, finishedKey, planKey } from '../context/stored-run.ts';

const day = 24 * 60 * 60 * 1000;

/**
 * What is of no use any more, and after how many days it was written last. GitHub sends a delivery again for some days, and the queue knows
 * one again for a week. Boxes of a run work for a quarter of a year; what an unpublished run left was tried for an hour.
 */
const retention: readonly { readonly prefix: string; readonly days: number }[] = [
  ...[planKey(''), answeredKey(''), sharedKeys.body(''), sharedKeys.removal('')].map((prefix) => ({
    prefix,
    days: 30,
  })),
  ...[finishedKey({ run_id: '' }), 'making/', stopKey('')].map((prefix) => ({ prefix, days: 30 })),
  ...[controlsKey(''), suggestionsKey(''), appliedKey('')].map((prefix) => ({ prefix, days: 90 })),
];

/** Deletes what is kept of old deliveries and runs, but for what waits for somebody and what later reviews and runs look into; how many keys. */
export async function pruneState(store: StateRoot, now: Date): Promise<number> {
  let deleted = 0;
  for (const { prefix, days } of retention)
    deleted += await store.deleteOld(prefix, new Date(now.getTime() - days * day));
  return deleted;
}
