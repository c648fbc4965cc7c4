import * as z from 'zod';

/**
 * What a run did, short: what is kept of turns that were summarised. Made from the record of the run, but for `summary`,
 * which the model wrote. Every list is bounded; the oldest items go first.
 */
export const RunHistory = z.object({
  summary: z.string(),
  /** Paths that were read, the newest last. */
  read: z.array(z.string()),
  /** Paths that were changed, the newest last. */
  changed: z.array(z.object({ path: z.string(), kind: z.string() })),
  /** Calls and commands that failed, and how that ended where it did. */
  failures: z.array(
    z.object({
      turn: z.int(),
      call: z.string(),
      error: z.string(),
      solved: z.string().nullable(),
    }),
  ),
  actions: z.array(z.object({ turn: z.int(), call: z.string(), ok: z.boolean() })),
  /** How many older actions are not listed any more. */
  older: z.int(),
  /** What people said: answers, and words of their own, where `question` is null. */
  said: z.array(z.object({ question: z.string().nullable(), words: z.string() })),
  /** What people approved, denied and granted, and what was refused. */
  decided: z.array(z.string()),
});
export type RunHistory = z.infer<typeof RunHistory>;

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
