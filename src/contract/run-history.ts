import * as z from 'zod';

/**
 * Short history of a run, which replaces summarised turns. Made from the run ledger; only `summary`
 * is by the model. Every list is bounded, and the oldest items go first.
 */
export const RunHistory = z.object({
  summary: z.string(),
  /** Paths that were read, the newest last. */
  read: z.array(z.string()),
  /** Paths that were changed, the newest last. */
  changed: z.array(z.object({ path: z.string(), kind: z.string() })),
  /** Failed calls and commands, and how they were fixed, if they were. */
  failures: z.array(
    z.object({
      turn: z.int(),
      call: z.string(),
      error: z.string(),
      solved: z.string().nullable(),
    }),
  ),
  actions: z.array(z.object({ turn: z.int(), call: z.string(), ok: z.boolean() })),
  /** Number of older actions that are not listed. */
  older: z.int(),
  /** People's answers, and texts of their own if `question` is null. */
  said: z.array(z.object({ question: z.string().nullable(), words: z.string() })),
  /** Approvals, denials, grants and refusals. */
  decided: z.array(z.string()),
});
export type RunHistory = z.infer<typeof RunHistory>;

/**
 * Instructions that became active in a run, as they were then: a file of the base branch with its
 * includes. `ref` is its path; `applies` describes their scope for a reader: `this repository`,
 * `packages/api/`, `**.ts`.
 */
export const ActivatedInstructions = z.object({
  ref: z.string(),
  applies: z.string(),
  text: z.string(),
});
export type ActivatedInstructions = z.infer<typeof ActivatedInstructions>;
