import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';
import type { StateStore } from '../../contract/state-store.ts';

/** Who decided on an approval, kept so that a second word on it gets an answer. */
export const DecidedApproval = z.object({ by: z.string(), verdict: z.enum(['approve', 'deny']) });
export type DecidedApproval = z.infer<typeof DecidedApproval>;

/** Where a decision on an approval is kept, by the thread it was asked on. */
export function decidedApprovalKey(
  at: { readonly thread: { readonly number: number } },
  hash: string,
): string {
  return `approval/${at.thread.number}/${hash}`;
}

/** The decision at a key; null where there is none or it is not readable. */
export async function readDecidedApproval(store: StateStore, key: string): Promise<DecidedApproval | null> {
  const text = await store.get(key);
  const parsed = text === null ? null : DecidedApproval.safeParse(parseJson(text));
  return parsed?.success === true ? parsed.data : null;
}
