import * as z from 'zod';

/** One part of a change by its meaning, as a reviewer describes it. */
const Group = z.object({
  title: z.string().min(1).max(120),
  files: z.array(z.string().min(1).max(300)).max(60),
  what: z.string().min(1).max(500),
});

/** An arrow of the picture: one part acts on another. */
const Arrow = z.object({
  from: z.string().min(1).max(40),
  to: z.string().min(1).max(40),
  label: z.string().max(40).optional(),
});

/** Purpose and parts of a pull request, for people who have little time. */
export const Walkthrough = z.object({
  overview: z.string().min(1).max(1_200),
  groups: z.array(Group).max(12),
  /** Arrows between the parts of the change. Omitted for fewer than three parts. */
  diagram: z.array(Arrow).max(12).optional(),
});
export type Walkthrough = z.infer<typeof Walkthrough>;
