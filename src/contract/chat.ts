import * as z from 'zod';

/** What somebody wrote on the thread: people are `user`, we are `assistant`, other bots are `system`. */
export const ChatMessage = z.object({
  /** Its place on the thread from 0, the title and description; it stays where older ones are left out. */
  index: z.int().nonnegative(),
  role: z.enum(['user', 'assistant', 'system']),
  author: z.string(),
  kind: z.enum(['description', 'comment', 'review', 'review_comment']),
  /** Empty for the description, whose time the event does not tell. */
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
