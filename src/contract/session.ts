import * as z from 'zod';
import { Approval, ApprovalDecision, Grant } from './decision.ts';
import { ExperimentHistory } from './experiment.ts';
import { Finding } from './findings.ts';
import { Message } from './message.ts';
import { RunPlan } from './plan.ts';
import { ActivatedInstructions, RunHistory } from './run-history.ts';
import { Question, Todo } from './run-results.ts';
import { SessionUsage, Usage } from './usage.ts';

/**
 * A stored run that waits for an answer, or was stopped. It restores the conversation, the list,
 * the usage and the uncommitted changes. Plan, preset and grants are computed again.
 */
export const SavedSession = z.object({
  version: z.literal(1),
  run_id: z.string(),
  session_id: z.string(),
  /** Null for a local run without GitHub. */
  plan: RunPlan.nullable(),
  messages: z.array(Message),
  /**
   * The call that is answered; its result is the person's text. Null where a call waits for
   * approval.
   */
  question: z.object({ call_id: z.string(), question: Question }).nullable(),
  /** The call that waits for approval: it stands in the last message of the model. */
  approval: Approval.optional(),
  /** The reason of the stop, if the run waits for nothing except to continue. */
  stopped: z.string().optional(),
  todos: z.array(Todo),
  /** Proposals and findings so far, for the report of the resumed run. */
  approvals: z.array(Approval),
  findings: z.array(Finding),
  /** Its experiment, with all runs so far. */
  experiment: ExperimentHistory.optional(),
  /** The repository's active instructions, as they were then. */
  instructions: z.array(ActivatedInstructions).optional(),
  /** Decided approvals, and their grants for as long as the head stays. */
  decided: z.array(ApprovalDecision).optional(),
  grants: z.array(Grant).optional(),
  /** The message committed so far, and the last committed file. */
  committed: z.object({ path: z.string(), text: z.string() }).optional(),
  /**
   * The run's own files by path, except those that later runs have anyway; at most a few megabytes.
   */
  storage: z.record(z.string(), z.string()).optional(),
  usage: Usage,
  turns: z.int(),
  /** Usage of all parts so far, as in `SessionUsage`. Omitted by older versions. */
  tool_calls: z.int().optional(),
  cost_usd: z.number().nullable().optional(),
  duration_ms: z.number().optional(),
  /** Usage that limits do not count, because a limit stopped the run after it. Omitted for none. */
  uncounted: SessionUsage.optional(),
  /** History of turns that were or will be summarised. Omitted by older versions. */
  history: RunHistory.optional(),
  /** Git's binary patch of the work so far, against `base_sha`. */
  patch: z.string(),
  base_sha: z.string().nullable(),
  /** Default folder of commands, below the root. Omitted for the root. */
  start: z.string().optional(),
  profile: z.string(),
  model: z.string(),
  preset: z.string(),
  saved_at: z.iso.datetime(),
});
export type SavedSession = z.infer<typeof SavedSession>;
