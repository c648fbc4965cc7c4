import * as z from 'zod';
import { ChangeSet } from './change.ts';
import { Approval, ApprovalDecision, Grant, Refusal } from './decision.ts';
import { DisplayItem } from './display-item.ts';
import { ClosedFinding, Finding, SuggestionCheck } from './findings.ts';
import { Conclusion, StopReason } from './limits.ts';
import { Handoff, ProvenCommand, PullDescription, Question, Todo, Triage } from './run-results.ts';
import { Usage } from './usage.ts';
import { Walkthrough } from './walkthrough.ts';

/**
 * All data that leaves the agent zone: validated, bounded, redacted. The publisher writes from this
 * and the plan alone. The limits are this schema's own: longer text was cut before, with a notice.
 */
export const Outcome = z.object({
  version: z.literal(1),
  run_id: z.string(),
  session_id: z.string(),
  conclusion: Conclusion,
  answer: z.string().max(60_000),
  /** The answer as JSON that is valid by the requested schema. Omitted without one. */
  structured: z.json().optional(),
  stop: StopReason.nullable(),
  model: z.string(),
  profile: z.string(),
  preset: z.string(),
  turns: z.int(),
  tool_calls: z.int(),
  /** Number of times older turns were summarised. Omitted for none. */
  summarised: z.int().positive().optional(),
  usage: Usage,
  cost_usd: z.number().nullable(),
  duration_ms: z.number(),
  todos: z.array(Todo).max(200),
  findings: z.array(Finding).max(500),
  /** Earlier findings that the review ends by their ids. Omitted for none. */
  closed_findings: z.array(ClosedFinding).max(500).optional(),
  /**
   * Checks that reported all their findings: a finding that one of them no longer reports is fixed.
   */
  checks_whole: z.array(z.string()).max(50).optional(),
  /** Results of trying changes that may be suggested. */
  suggestion_checks: z.array(SuggestionCheck).max(500).optional(),
  /** The tool that states the result of such a run, if it ended well without calling it. */
  unreported: z.string().optional(),
  refusals: z.array(Refusal).max(200),
  approvals: z.array(Approval).max(50),
  /** The call the run waits for, which is not among `approvals`. */
  pending_approval: Approval.optional(),
  decided: z.array(ApprovalDecision).max(50).optional(),
  grants: z.array(Grant).max(50).optional(),
  handoffs: z.array(Handoff).max(10),
  question: Question.nullable(),
  diagnostics: z.array(z.string()).max(50),
  /** Experiments, then displays of `render` and `chart`. Omitted for none. */
  shown: z.array(DisplayItem).max(20).optional(),
  /** Proposals of `triage` and `describe`, which the publisher checks against the plan. */
  triage: Triage.optional(),
  description: PullDescription.optional(),
  /** Purpose and parts of the reviewed change. */
  walkthrough: Walkthrough.optional(),
  changes: ChangeSet,
  /** Commands that prove the changes. Omitted for none. */
  proven: z.array(ProvenCommand).max(20).optional(),
});
export type Outcome = z.infer<typeof Outcome>;
