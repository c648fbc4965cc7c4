import * as z from 'zod';
import { Approval, ApprovalDecision, Grant } from './decision.ts';
import { ExperimentHistory } from './experiment.ts';
import { Finding } from './findings.ts';
import { Message } from './message.ts';
import { RunPlan } from './plan.ts';
import { ActivatedInstructions, RunHistory } from './run-history.ts';
import { Question, Todo } from './run-results.ts';
import { Spent, Usage } from './usage.ts';

/**
 * What is kept of a run that waits for an answer, or was stopped. It restores the conversation, the list, what was spent
 * and the uncommitted changes; plan, preset and grants are computed again when it goes on.
 */
export const SavedSession = z.object({
  version: z.literal(1),
  run_id: z.string(),
  session_id: z.string(),
  /** Null for a local run without GitHub. */
  plan: RunPlan.nullable(),
  messages: z.array(Message),
  /** The call the answer belongs to; its result is what the person said. Null where a call waits for approval. */
  question: z.object({ call_id: z.string(), question: Question }).nullable(),
  /** The call that waits for approval: it stands in the last message of the model. */
  approval: Approval.optional(),
  /** Why the run was stopped, where it waits for nothing but to go on. */
  stopped: z.string().optional(),
  todos: z.array(Todo),
  /** What was proposed and found so far: the report of the run that goes on has it, too. */
  approvals: z.array(Approval),
  findings: z.array(Finding),
  /** What it measures and improves, with all runs so far. */
  experiment: ExperimentHistory.optional(),
  /** The repository's instructions that came to hold, as they were then. */
  instructions: z.array(ActivatedInstructions).optional(),
  /** Approvals that were decided, and what they granted for as long as the head stays. */
  decided: z.array(ApprovalDecision).optional(),
  grants: z.array(Grant).optional(),
  /** The message it committed so far, and the file that was committed last. */
  committed: z.object({ path: z.string(), text: z.string() }).optional(),
  /** The run's own files by path, but for those that later runs see anyway; a few megabytes at most. */
  storage: z.record(z.string(), z.string()).optional(),
  usage: Usage,
  turns: z.int(),
  /** Of all parts so far, as `Spent` has them; left out by runs of before that was kept. */
  tool_calls: z.int().optional(),
  cost_usd: z.number().nullable().optional(),
  duration_ms: z.number().optional(),
  /** What of it limits do not count, since a limit stopped the run behind it; left out for nothing. */
  uncounted: Spent.optional(),
  /** What is kept of turns that were or will be summarised; left out by runs of before there was that. */
  history: RunHistory.optional(),
  /** Git's binary patch of the work so far, against `base_sha`. */
  patch: z.string(),
  base_sha: z.string().nullable(),
  /** The folder below the root that commands start in; left out for the root. */
  start: z.string().optional(),
  profile: z.string(),
  model: z.string(),
  preset: z.string(),
  saved_at: z.iso.datetime(),
});
export type SavedSession = z.infer<typeof SavedSession>;

/** What the keys of all sessions that wait on a thread begin with; they sort by the time of their runs. */
export function waitingPrefix(number: number): string {
  return `waiting/${number}/`;
}

/** Where the session of a run that waits on a thread is kept, as the JSON of a `SavedSession`: several can wait on one. */
export function waitingKey(number: number, runId: string): string {
  return `${waitingPrefix(number)}${runId}`;
}

/** Where the session of the run that was stopped last on a thread is kept, for whoever wants it to go on. */
export function stoppedKey(number: number): string {
  return `stopped/${number}`;
}

/** Where it is kept when the approval or question of a run was put to people, by GitHub's clock. */
export function askedKey(runId: string): string {
  return `asked/${runId}`;
}
