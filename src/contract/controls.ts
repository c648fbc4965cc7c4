import * as z from 'zod';

/** What a box in the comment with a run's controls does. */
export const ControlName = z.enum(['stop', 'retry', 'apply']);
export type ControlName = z.infer<typeof ControlName>;

/** The comment with the controls of a run as we wrote it last. Whatever else it says on GitHub was written by others. */
export const Controls = z.object({
  version: z.literal(1),
  run_id: z.string(),
  /** Null from before the comment is posted until it is known: boxes count as soon as it stands. */
  comment_id: z.int().nullable(),
  /** With its hidden first line. */
  text: z.string(),
  boxes: z.array(z.object({ line: z.int().min(0), does: ControlName })).max(10),
});
export type Controls = z.infer<typeof Controls>;

/** Controls whose comment is known. */
export type PlacedControls = Controls & { readonly comment_id: number };

/** Where the controls of a run are kept, as the JSON of `Controls`. */
export const controlsKey = (runId: string): string => `controls/${runId}`;
