import * as z from 'zod';

/** What a run proposes as the description of its pull request, in Markdown; the title is one line. */
export const PullDescription = z.object({
  title: z.string().min(1).max(256).optional(),
  body: z.string().min(1).max(20_000),
});
export type PullDescription = z.infer<typeof PullDescription>;
