import type { IncomingEvent } from '../../contract/event.ts';
import { type HeadRecord, notYetTold, parseHeadRecord } from '../../contract/known-head.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { integerAt, stringAt, timeAt } from '../triggers/payload-reader.ts';

/** Decision about a head: a comment's run may use it, or why not. */
export type HeadDecision = { readonly kind: 'fits' } | { readonly kind: 'moved'; readonly reason: string };

/**
 * Checks that the author of a comment can have seen the head. GitHub's comments name no commit, so
 * a push could follow a maintainer's "run the tests". Times within one second count as seen. Our
 * own commits count as seen with the head that they lie on. `checkedSince` is the time of the
 * head's first check suite, used without a record.
 */
export function decideHead(facts: {
  readonly recorded: HeadRecord | null;
  readonly head: string;
  readonly checkedSince: string | null;
  readonly commentedAt: string;
  readonly fork: boolean;
}): HeadDecision {
  const { recorded, head, checkedSince, fork } = facts;
  const known = recorded === null || recorded.sha === head;
  const since = recorded === null ? checkedSince : (recorded.under ?? recorded).at;
  if (since === null) {
    // Only people with write permission push to the repository; a fork's owner may be anyone.
    return fork ? moved(head, 'it is not known when it was pushed') : { kind: 'fits' };
  }
  if (known && Date.parse(since) <= Date.parse(facts.commentedAt)) return { kind: 'fits' };
  return moved(head, 'it was pushed after your comment');
}

/** Begins the reply to a request on a head that its author may not have seen. */
export const headWords = (head: string): string => `The head is ${head.slice(0, 12)} now`;

function moved(head: string, why: string): HeadDecision {
  return {
    kind: 'moved',
    reason: `${headWords(head)}, and ${why}. Comment again to run on it.`,
  };
}

/**
 * Returns true if the head is the one of an event, with nothing but commits of ours on it. Each of
 * these has an automated review of its own.
 */
export function liesUnderOwn(
  recorded: HeadRecord | null,
  head: string,
  event: { readonly head_sha: string | null; readonly automated: boolean },
): boolean {
  const { head_sha: sha, automated } = event;
  if (sha === null || recorded?.sha !== head) return false;
  return recorded.under?.sha === sha || (!automated && recorded.made?.includes(sha) === true);
}

/** Reads the record at a key; null if it is missing or unreadable. */
export async function readHeadRecord(store: StateStore, key: string): Promise<HeadRecord | null> {
  return parseHeadRecord(await store.get(key));
}

/** Stores a new head from a `pull_request` event; deletes it when the request is closed. */
export async function recordHead(store: StateStore, event: IncomingEvent): Promise<void> {
  if (event.name !== 'pull_request') return;
  const { payload } = event;
  const number = integerAt(payload, 'pull_request', 'number');
  const sha = stringAt(payload, 'pull_request', 'head', 'sha');
  const updated = timeAt(payload, 'pull_request', 'updated_at');
  if (!number || !sha || updated === null) return;
  const key = stateKeys.head(number);
  if (stringAt(payload, 'action') === 'closed') return store.delete(key);
  const before = await readHeadRecord(store, key);
  const at = new Date(updated).toISOString();
  if (before?.under?.sha === sha && before.under.at === notYetTold)
    return store.set(key, JSON.stringify({ ...before, under: { sha, at } } satisfies HeadRecord));
  // Deliveries may be late and out of order.
  if (before !== null && (before.sha === sha || Date.parse(before.at) > updated)) return;
  await store.set(key, JSON.stringify({ sha, at } satisfies HeadRecord));
}
