import * as z from 'zod';

/** Text that whoever reads a page of GitHub does not see, taken out of what the model gets. */
export const HiddenText = z.object({
  /** In words: `HTML comment`, `invisible characters`. */
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
