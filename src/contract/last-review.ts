import * as z from 'zod';
import { Finding } from './findings.ts';
import { Outcome } from './outcome.ts';
import { RunPlan } from './plan.ts';

const Link = z.object({ id: z.int(), url: z.string() });

/** The last review of a pull request, to tell its findings again once the state of one changes. */
export const LastReview = z.object({
  version: z.literal(1),
  /** Without texts of the thread. */
  plan: RunPlan,
  /** Without answer, findings and changes. */
  outcome: Outcome,
  /** Its open findings, whole: the record has only the beginning of a text. */
  found: z.array(z.object({ id: z.string(), finding: Finding })),
  /** The links of its check. */
  links: z.object({
    summary: Link.optional(),
    comment: Link.optional(),
    question: Link.optional(),
    approval: Link.optional(),
    review: Link.extend({ comments: z.int() }).optional(),
  }),
  /** A digest of the findings and their states as the check and code scanning tell them. */
  told: z.string(),
});
export type LastReview = z.infer<typeof LastReview>;
