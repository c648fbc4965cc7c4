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
  /** One sentence in words of ours; '' where there is nothing to say. With `command`, what it is that the command does. */
  said: z.string().max(400),
  /** What it was tried with. */
  command: z.string().max(200).optional(),
  /** A line that the check printed, as it is. */
  quote: z.string().max(300).optional(),
});
export type SuggestionCheck = z.infer<typeof SuggestionCheck>;
