import * as z from 'zod';
import { Action, Level } from './levels.ts';

/** What the gate decided on one tool call, and by which rule; `reason` is a sentence for model and report. */
export const Decision = z.object({
  action: Action,
  level: Level,
  reason: z.string(),
  rule: z.string().nullable(),
  /** True where no rule, grant or comment may lift the refusal: escapes, credentials, protected paths. */
  hard: z.boolean(),
  /** The simple commands a script was taken apart into, each with its own verdict. */
  commands: z.array(z.object({ command: z.string(), action: Action, reason: z.string() })),
});
export type Decision = z.infer<typeof Decision>;

/** A call that was not made, as the report lists it. */
export const Refusal = z.object({
  tool: z.string(),
  what: z.string(),
  reason: z.string(),
  call_id: z.string(),
});
export type Refusal = z.infer<typeof Refusal>;

/** A call that waits for a person: nothing was executed. `diff` is what would have changed. */
export const Approval = z.object({
  tool: z.string(),
  what: z.string(),
  reason: z.string(),
  hash: z.string(),
  diff: z.string().optional(),
  call_id: z.string(),
});
export type Approval = z.infer<typeof Approval>;
