import { createHash } from 'node:crypto';
import * as z from 'zod';

/** A plan that was posted and can be approved. What its comment is edited to say does not matter: this is the plan. */
export const PlanProposal = z.object({
  version: z.literal(1),
  run_id: z.string(),
  hash: z.string(),
  /** As it was posted. */
  text: z.string(),
  /** The commit it was made on. */
  head_sha: z.string(),
});
export type PlanProposal = z.infer<typeof PlanProposal>;

interface Thread {
  readonly repository: { readonly owner: string; readonly name: string };
  readonly number: number;
}

/** What a plan is named by: 16 hexadecimal digits of SHA-256 over its text, its commit and its thread. */
export function proposalHash(text: string, headSha: string, { repository, number }: Thread): string {
  const named = [text, headSha, `${repository.owner}/${repository.name}`.toLowerCase(), number];
  return createHash('sha256').update(JSON.stringify(named)).digest('hex').slice(0, 16);
}

/** Where a plan is kept, as the JSON of a `PlanProposal`. */
export function proposalKey(number: number, hash: string): string {
  return `proposal/${number}/${hash}`;
}
