import * as z from 'zod';

export const TaskStatus = z.enum(['open', 'in_progress', 'completed']);
export type TaskStatus = z.infer<typeof TaskStatus>;

/** One stored task of a repository. */
export const Task = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  /** Null if cleared: the task belongs to no repository. */
  repoURL: z.string().nullable(),
  status: TaskStatus,
  /** Tasks that must be completed first. */
  dependsOn: z.array(z.string()),
  parentID: z.string().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Task = z.infer<typeof Task>;
