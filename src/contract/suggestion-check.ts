import * as z from 'zod';

/** What came of trying a suggested change out before it is offered. */
export const SuggestionCheck = z.object({
  path: z.string(),
  /** Lines of the reviewed head that it replaces, both included. */
  first_line: z.int().positive(),
  last_line: z.int().positive(),
  /** SHA-256 over the lines that take their place, the first 16 hexadecimal digits. */
  digest: z.string(),
  result: z.enum(['passed', 'failed', 'not_run']),
  /** One sentence for people; '' where there is nothing to say. */
  said: z.string().max(400),
});
export type SuggestionCheck = z.infer<typeof SuggestionCheck>;
