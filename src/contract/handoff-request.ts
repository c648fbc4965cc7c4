import * as z from 'zod';

/** What `handoff` packs for whoever goes on: a person or the next run. */
export const Handoff = z.object({
  target: z.enum(['user', 'next_thread', 'parent', 'aggman']),
  reason: z.string().optional(),
  summary: z.string().min(1),
  goal: z.string().optional(),
  completed: z.array(z.string()),
  open_questions: z.array(z.string()),
  recommended_next_steps: z.array(z.string()),
  artifacts: z.array(z.string()),
  relevant_files: z.array(z.string()),
  follow: z.boolean(),
});
export type Handoff = z.infer<typeof Handoff>;
