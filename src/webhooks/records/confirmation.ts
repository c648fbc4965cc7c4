import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { PostedBoxes } from '../../contract/thread-records.ts';

/**
 * The one comment on a thread that asks to confirm the requests from before a push to `head`. The
 * option of each box is the hash of its request.
 */
export const Confirmation = PostedBoxes.extend({ head: z.string() });
export type Confirmation = z.infer<typeof Confirmation>;

type Place = { readonly thread: { readonly number: number } };

/** Reads the comment that asks on a thread; null if it is missing or unreadable. */
export async function readConfirmation(store: StateStore, { thread }: Place): Promise<Confirmation | null> {
  const text = await store.get(stateKeys.confirmation(thread.number));
  return text === null ? null : (Confirmation.safeParse(parseJson(text)).data ?? null);
}

/** Stores the comment that asks on a thread. */
export async function saveConfirmation(
  store: StateStore,
  { thread }: Place,
  confirmation: Confirmation,
): Promise<void> {
  await store.set(stateKeys.confirmation(thread.number), JSON.stringify(confirmation));
}
