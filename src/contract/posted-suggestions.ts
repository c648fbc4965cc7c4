import * as z from 'zod';

/** A replacement of whole lines that a run offers on a pull request, under the id its comment carries. */
export const PostedSuggestion = z.object({
  id: z.string(),
  path: z.string(),
  /** Lines of the reviewed head, both included, from 1. */
  first_line: z.int().positive(),
  last_line: z.int().positive(),
  /** What stands there, without line ends. */
  before: z.array(z.string()).min(1),
  /** Empty: the lines go away. */
  after: z.array(z.string()),
});
export type PostedSuggestion = z.infer<typeof PostedSuggestion>;

/** What a run suggested on a pull request, as we kept it: what comments on GitHub say may have been edited. */
export const PostedSuggestions = z.object({
  version: z.literal(1),
  run_id: z.string(),
  owner: z.string(),
  name: z.string(),
  thread: z.int().positive(),
  /** The commit they are about. */
  head: z.string(),
  suggestions: z.array(PostedSuggestion).max(1_000),
});
export type PostedSuggestions = z.infer<typeof PostedSuggestions>;

/** Where they are kept. */
export const suggestionsKey = (runId: string): string => `suggestions/${runId}`;

/** A suggestion that was not applied, and why, as the end of a sentence. */
export const LeftSuggestion = z.object({ path: z.string(), line: z.int(), why: z.string() });
export type LeftSuggestion = z.infer<typeof LeftSuggestion>;

/** What was decided to commit of a run's suggestions, kept before the commit is made. */
export const AppliedSuggestions = z.object({
  version: z.literal(1),
  /** The commit that they were put on. */
  onto: z.string(),
  applied: z.array(z.string()),
  left: z.array(LeftSuggestion),
});
export type AppliedSuggestions = z.infer<typeof AppliedSuggestions>;

/** Where that is kept. */
export const appliedKey = (runId: string): string => `applied/${runId}`;
