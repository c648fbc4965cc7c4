import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';
import type { StateStore } from '../../contract/state-store.ts';

/** The decision on an approval, stored so that a second one gets a reply. */
export const DecidedApproval = z.object({ by: z.string(), verdict: z.enum(['approve', 'deny']) });
export type DecidedApproval = z.infer<typeof DecidedApproval>;

/** Reads the decision at a key; null if it is missing or unreadable. */
export async function readDecidedApproval(store: StateStore, key: string): Promise<DecidedApproval | null> {
  const text = await store.get(key);
  const parsed = text === null ? null : DecidedApproval.safeParse(parseJson(text));
  return parsed?.success === true ? parsed.data : null;
}
