import * as z from 'zod';

export const Severity = z.enum(['info', 'low', 'medium', 'high', 'critical']);
export type Severity = z.infer<typeof Severity>;

/** One remark of a review, on one line or range of one side of the diff. */
export const Finding = z.object({
  path: z.string().min(1),
  side: z.enum(['RIGHT', 'LEFT']).default('RIGHT'),
  start_line: z.int().positive().optional(),
  line: z.int().positive(),
  severity: Severity,
  category: z.string().min(1),
  title: z.string().min(1),
  body: z.string().min(1),
  suggestion: z.string().optional(),
  check: z.string().optional(),
});
export type Finding = z.infer<typeof Finding>;
