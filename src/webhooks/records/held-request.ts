import { createHash } from 'node:crypto';
import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { PostedBoxes } from '../../contract/thread-records.ts';
import { hashIn } from '../commands/read-command.ts';
import type { Trigger } from '../commands/trigger.ts';
import { TriggerRequest } from './trigger-request.ts';

/** What somebody asked for before a head was pushed that they cannot have seen: held until somebody says yes. */
export const HeldRequest = z.object({
  version: z.literal(1),
  hash: z.string(),
  head: z.string(),
  request: TriggerRequest,
  /** Of an answer, the run whose question it was given to. */
  answers: z.string().optional(),
  /** The comment that asks, once it stands. */
  posted: PostedBoxes.nullable(),
});
export type HeldRequest = z.infer<typeof HeldRequest>;

type Place = Pick<Trigger, 'thread'>;

/** Where a request that is held on a thread is kept: each under its hash, as several may wait. */
export function heldKey({ thread }: Place, hash: string): string {
  return `held/${thread.number}/${hash}`;
}

/** The hidden line of the comment that asks whether a request is to run. */
export const heldMark = (hash: string): string => `<!-- anode:head v1 hash=${hash} -->`;

/** The hash in such a comment; null where it is another. */
export function heldHashIn(body: string): string | null {
  return /<!-- anode:head v1 hash=([0-9a-f]{16}) -->/.exec(body)?.[1] ?? null;
}

/**
 * The request as it is held, and the comment that asks whether it is to run on the head that is there now. Its hash binds
 * the words to that head. Null for what has its own way of asking again.
 */
export function holdRequest(
  trigger: Trigger,
  head: string,
  answers: string | null,
): { readonly held: HeldRequest; readonly box: string } | null {
  const request = TriggerRequest.safeParse(trigger);
  if (!request.success) return null;
  const { repository, thread, comment } = trigger;
  const named = [head, repository.owner, repository.name, thread.number, comment?.id, request.data];
  const hash = createHash('sha256').update(JSON.stringify(named)).digest('hex').slice(0, 16);
  return {
    held: {
      ...{ version: 1, hash, head, request: request.data, posted: null },
      ...(answers === null || trigger.kind !== 'answer' ? {} : { answers }),
    },
    box: `- [ ] Run it on \`${head.slice(0, 12)}\``,
  };
}

/** The request of that hash that is held on a thread; null where there is none. */
export async function readHeld(
  store: StateStore,
  place: Place,
  hash: string | null,
): Promise<HeldRequest | null> {
  const text = hash === null ? null : await store.get(heldKey(place, hash));
  const parsed = text === null ? null : HeldRequest.safeParse(parseJson(text));
  return parsed?.success === true ? parsed.data : null;
}

/** What a confirmation comes to: the trigger that was held as if its sender asked for it now, or why there is none. */
export type Confirmed =
  | { readonly kind: 'confirmed'; readonly trigger: Trigger; readonly answers: string | null }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Looks up what `continue <hash>` is about; null where the words are no hash, so that a stopped run is meant. The
 * head that was asked about has to be the head still.
 */
export async function confirmHeld(
  trigger: Trigger,
  head: string | null,
  store: StateStore,
): Promise<Confirmed | null> {
  const hash = hashIn(trigger.text);
  if (trigger.kind !== 'continue' || hash === null) return null;
  const held = await readHeld(store, trigger, hash);
  const refused = (reason: string): Confirmed => ({ kind: 'refused', reason });
  if (held === null) return refused(`Nothing with the hash \`${hash}\` waits on this thread to be run.`);
  if (held.head !== head)
    return refused(
      `The head is ${head?.slice(0, 12) ?? 'gone'} now and not ${held.head.slice(0, 12)}, which this was about. Ask again in a new comment.`,
    );
  const { edited: _, ...asked } = trigger;
  return {
    kind: 'confirmed',
    trigger: { ...asked, ...definedOnly(held.request) },
    answers: held.answers ?? null,
  };
}

function definedOnly({ kind, text, location, flags, incremental, checksOnly }: TriggerRequest) {
  return {
    ...{ kind, text, location, note: null },
    ...(flags === undefined ? {} : { flags: flags as NonNullable<Trigger['flags']> }),
    ...(incremental === undefined ? {} : { incremental }),
    ...(checksOnly === undefined ? {} : { checksOnly }),
  };
}
