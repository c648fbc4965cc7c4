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

/** An earlier finding that a later review ends, though its own lines may be as they were. */
export const ClosedFinding = z.object({
  /** Its id, or the beginning. */
  id: z.string().regex(/^[0-9a-f]{7,16}(?:-\d{1,4})?$/),
  reason: z.string().min(1).max(300),
});
export type ClosedFinding = z.infer<typeof ClosedFinding>;

/** Result of trying a suggested change before it is offered. */
export const SuggestionCheck = z.object({
  path: z.string(),
  /** Lines of the reviewed head that it replaces, both included. */
  first_line: z.int().positive(),
  last_line: z.int().positive(),
  /** SHA-256 over the lines that take their place, the first 16 hexadecimal digits. */
  digest: z.string(),
  result: z.enum(['passed', 'failed', 'not_run']),
  /** One sentence of ours; '' if there is none. With `command`, the effect of the command. */
  said: z.string().max(400),
  /** The command that it was tried with. */
  command: z.string().max(200).optional(),
  /** A line that the check printed, unchanged. */
  quote: z.string().max(300).optional(),
});
export type SuggestionCheck = z.infer<typeof SuggestionCheck>;

/**
 * A finding of a pull request as published: in threads, the summary, the check and the SARIF file.
 */
export interface ToldFinding {
  readonly id: string;
  /** `outside`: open, but the pull request does not change its file any longer. */
  readonly state: 'new' | 'carried' | 'fixed' | 'dismissed' | 'outside';
  readonly finding: Finding;
  /** The id of its comment on a line; null if only the summary lists it. */
  readonly thread: number | null;
  /** The login of who dismissed it, or the commit that fixed it; null if unknown. */
  readonly by: string | null;
  /** Why a person dismissed it, or a later review closed it. Default: none. */
  readonly reason?: string;
}

/** 0 for `info` to 4 for `critical`. */
export function severityRank(severity: Severity): number {
  return Severity.options.indexOf(severity);
}
