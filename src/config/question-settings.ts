import * as z from 'zod';

/** How questions of a run are put to people. */
export const QuestionSettings = z.strictObject({
  /** Hours that a question waits for before the run goes on with its default, or without an answer; 0: for good. */
  deadlineHours: z.number().min(0).max(720).optional(),
  /** Whether the thread is reminded once, before the deadline. */
  remind: z.boolean().optional(),
  /** Who may answer besides people with write permission: logins, and `@author` for the author of the thread. */
  answerers: z
    .array(z.string().regex(/^(?:@author|[A-Za-z0-9][A-Za-z0-9-]{0,38})$/, 'a login, or @author'))
    .max(20)
    .optional(),
});
