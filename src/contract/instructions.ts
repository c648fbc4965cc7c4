import * as z from 'zod';

/**
 * Instructions that came to hold in a run, as they were then: a file of the base branch with what it includes. `ref` is its
 * path; `applies` says to what it does, in words for a reader: `this repository`, `packages/api/`, `**.ts`.
 */
export const ActivatedInstructions = z.object({
  ref: z.string(),
  applies: z.string(),
  text: z.string(),
});
export type ActivatedInstructions = z.infer<typeof ActivatedInstructions>;
