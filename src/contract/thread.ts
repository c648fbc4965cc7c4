import * as z from 'zod';

/** A text on the thread. People are `user`, we are `assistant`, other bots are `system`. */
export const ChatMessage = z.object({
  /** Its index on the thread: 0 for title and description. Omitted older texts do not change it. */
  index: z.int().nonnegative(),
  role: z.enum(['user', 'assistant', 'system']),
  author: z.string(),
  kind: z.enum(['description', 'comment', 'review', 'review_comment']),
  /** Empty for the description, as the event does not have its time. */
  at: z.string(),
  /** `src/a.ts:12` for a review comment. */
  place: z.string().optional(),
  /** Sanitised, and never more than GitHub takes in one comment. */
  text: z.string(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** The conversation of a thread as it was at the trigger, oldest first, the request itself last. */
export const Chat = z.array(ChatMessage);
export type Chat = z.infer<typeof Chat>;

/** Text that a reader of a GitHub page does not see, removed from the model's input. */
export const HiddenText = z.object({
  /** Description: `HTML comment`, `invisible characters`. */
  kind: z.string(),
  /** In characters, as it was written. */
  length: z.int(),
  /** At most 200 characters of it, on one line. */
  excerpt: z.string(),
  /** Tells it from other text: the start of its SHA-256, white space at its ends aside. */
  digest: z.string(),
  /** False for what honest people use too: comments, alternative texts. */
  alarming: z.boolean(),
});
export type HiddenText = z.infer<typeof HiddenText>;

/** The same with where it stood: `the description`, `a comment`. */
export const HiddenFinding = HiddenText.extend({
  where: z.string(),
  author: z.string(),
  /** True where no person wrote it. */
  bot: z.literal(true).optional(),
});
export type HiddenFinding = z.infer<typeof HiddenFinding>;

/**
 * One image of a thread as the broker got it, or the reason for its absence, as a sentence without
 * its subject.
 */
export type FetchedAttachment = { readonly name: string } & (
  | { readonly bytes: Buffer }
  | { readonly failure: string }
);

/** A pull request as the API returns it. `head.repository` is null if the fork was deleted. */
export interface PullFacts {
  readonly number: number;
  readonly title: string;
  /** Login of its author. Default: the account was deleted. */
  readonly author?: string;
  readonly state: 'open' | 'closed';
  /** The commit that merged it, null if GitHub does not name it. Default: it is not merged. */
  readonly merged?: { readonly sha: string | null };
  readonly head: { readonly ref: string; readonly sha: string; readonly repository: string | null };
  readonly base: { readonly ref: string; readonly sha: string };
}
