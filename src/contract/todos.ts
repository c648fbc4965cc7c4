import * as z from 'zod';

/** One item of the agent's own list, as the progress comment shows it. */
export const Todo = z.object({
  id: z.string().min(1),
  content: z.string().min(1),
  status: z.enum(['pending', 'in_progress', 'completed']),
  active_form: z.string().optional(),
});
export type Todo = z.infer<typeof Todo>;
