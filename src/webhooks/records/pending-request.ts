import { createHash } from 'node:crypto';
import * as z from 'zod';
import { omitUndefined, parseJson } from '../../contract/json.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { hashIn } from '../commands/read-command.ts';
import type { Trigger } from '../commands/trigger.ts';
import { TriggerRequest } from './trigger-request.ts';

/** A request from before an unseen push, pending until it is confirmed. */
export const PendingRequest = z.object({
  version: z.literal(1),
  hash: z.string(),
  head: z.string(),
  request: TriggerRequest,
  /** For an answer, the run whose question it answers. */
  answers: z.string().optional(),
});
export type PendingRequest = z.infer<typeof PendingRequest>;

type Place = Pick<Trigger, 'thread'>;

/** Returns the hidden line of the comment that asks to confirm a new head. */
export const pendingMarker = (hash: string): string => `<!-- anode:head v1 hash=${hash} -->`;

/** Returns the hash in a comment that asks to confirm a new head; null for any other comment. */
export function pendingHashIn(body: string): string | null {
  return /<!-- anode:head v1 hash=([0-9a-f]{16}) -->/.exec(body)?.[1] ?? null;
}

/**
 * Creates the pending request. The hash binds the request to the head. Null for requests with their
 * own confirmation.
 */
export function createPendingRequest(
  trigger: Trigger,
  head: string,
  answers: string | null,
): PendingRequest | null {
  const request = TriggerRequest.safeParse(trigger);
  if (!request.success) return null;
  const { repository, thread, comment } = trigger;
  const bound = [head, repository.owner, repository.name, thread.number, comment?.id, request.data];
  const hash = createHash('sha256').update(JSON.stringify(bound)).digest('hex').slice(0, 16);
  return omitUndefined({
    ...{ version: 1 as const, hash, head, request: request.data },
    answers: trigger.kind === 'answer' ? (answers ?? undefined) : undefined,
  });
}

/** Reads a pending request by its hash; null if there is none. */
export async function readPendingRequest(
  store: StateStore,
  place: Place,
  hash: string | null,
): Promise<PendingRequest | null> {
  const text = hash === null ? null : await store.get(stateKeys.pendingRequest(place.thread.number, hash));
  const parsed = text === null ? null : PendingRequest.safeParse(parseJson(text));
  return parsed?.success === true ? parsed.data : null;
}

/**
 * Result of a confirmation: the pending trigger, as if its sender asked now, or why there is none.
 */
type Confirmed =
  | { readonly kind: 'confirmed'; readonly trigger: Trigger; readonly answers: string | null }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Looks up the request of `continue <hash>`; null without a hash, which continues a stopped run.
 * The head must be unchanged since the question.
 */
export async function confirmRequest(
  trigger: Trigger,
  head: string | null,
  store: StateStore,
): Promise<Confirmed | null> {
  const hash = hashIn(trigger.text);
  if (trigger.kind !== 'continue' || hash === null) return null;
  const pending = await readPendingRequest(store, trigger, hash);
  const refused = (reason: string): Confirmed => ({ kind: 'refused', reason });
  if (pending === null) return refused(`Nothing with the hash \`${hash}\` waits on this thread to be run.`);
  if (pending.head !== head)
    return refused(
      `The head is ${head?.slice(0, 12) ?? 'gone'} now and not ${pending.head.slice(0, 12)}, which this was about. Ask again in a new comment.`,
    );
  const { edited: _, ...rest } = trigger;
  return {
    kind: 'confirmed',
    trigger: { ...rest, ...omitUndefined(pending.request), note: null },
    answers: pending.answers ?? null,
  };
}
