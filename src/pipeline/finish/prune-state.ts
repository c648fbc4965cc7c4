import { stateKeys } from '../../contract/state-keys.ts';
import { type StateRoot, sharedKeys } from '../../contract/state-store.ts';

const day = 24 * 60 * 60 * 1000;

/**
 * Days after the last write at which state is deleted, by prefix. GitHub redelivers for some days,
 * and the queue remembers a delivery for a week. Boxes work for a quarter of a year; an unpublished
 * run is tried for an hour.
 */
const retention: readonly { readonly prefix: string; readonly days: number }[] = [
  ...[stateKeys.plan(''), stateKeys.answered(''), sharedKeys.body(''), sharedKeys.removal('')].map(
    (prefix) => ({
      prefix,
      days: 30,
    }),
  ),
  ...[stateKeys.finished(''), stateKeys.allMaking, stateKeys.stop('')].map((prefix) => ({
    prefix,
    days: 30,
  })),
  ...[stateKeys.controls(''), stateKeys.suggestions(''), stateKeys.applied('')].map((prefix) => ({
    prefix,
    days: 90,
  })),
  { prefix: stateKeys.allSummaryBodies, days: 90 },
  { prefix: stateKeys.allAccounts, days: 400 },
  { prefix: stateKeys.closed(''), days: 30 },
];

/**
 * Deletes old state of deliveries and runs; returns the number of keys. State that waits for
 * people, or that later reviews and runs read, stays.
 */
export async function pruneState(store: StateRoot, now: Date): Promise<number> {
  let deleted = 0;
  for (const { prefix, days } of retention)
    deleted += await store.deleteOld(prefix, new Date(now.getTime() - days * day));
  return deleted;
}
