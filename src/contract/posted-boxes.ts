import * as z from 'zod';

/** What ticking a box says: an option of a question (0 for the first), or null for the box that sends the answers. */
export const Box = z.object({
  /** The line of the comment it stands on, from 0. */
  line: z.int().min(0),
  means: z.object({ question: z.int().min(0), option: z.string() }).nullable(),
});
export type Box = z.infer<typeof Box>;

/**
 * A comment of ours with boxes that people can tick, as it stood when somebody who may had ticked something last.
 * Whatever else the comment on GitHub says was written by others.
 */
export const PostedBoxes = z.object({
  version: z.literal(1),
  comment_id: z.int(),
  url: z.string(),
  text: z.string(),
  boxes: z.array(Box).max(200),
});
export type PostedBoxes = z.infer<typeof PostedBoxes>;

/** Where the comment with the question of a run is kept, as the JSON of `PostedBoxes`. */
export function boxesKey(runId: string): string {
  return `boxes/${runId}`;
}
