import * as z from 'zod';

export const TaskStatus = z.enum(['open', 'in_progress', 'completed']);
export type TaskStatus = z.infer<typeof TaskStatus>;

/** One task of a repository's list, as it is kept between runs. */
export const Task = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  /** Null where it was cleared: the task belongs to no repository in particular. */
  repoURL: z.string().nullable(),
  status: TaskStatus,
  /** Tasks that come first. */
  dependsOn: z.array(z.string()),
  parentID: z.string().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Task = z.infer<typeof Task>;
