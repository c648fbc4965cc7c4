import * as z from 'zod';
import { Change } from './change.ts';
import { CheckResult } from './checks.ts';
import { Approval, ApprovalDecision, Decision, Grant, Refusal } from './decision.ts';
import { ExperimentHistory } from './experiment.ts';
import { ClosedFinding, Finding, SuggestionCheck } from './findings.ts';
import { Conclusion, StopReason } from './limits.ts';
import { Message } from './message.ts';
import { Provenance } from './provenance.ts';
import { ActivatedInstructions } from './run-history.ts';
import { Handoff, PullDescription, Question, Todo, Triage } from './run-results.ts';
import { SessionUsage, Usage } from './usage.ts';
import { Walkthrough } from './walkthrough.ts';

const entry = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

const toolCall = entry('tool.call', {
  call_id: z.string(),
  tool: z.string(),
  input: z.json(),
  /** One line for a person: the path, the command, the pattern. */
  what: z.string(),
  decision: Decision.nullable(),
});

const toolResult = entry('tool.result', {
  call_id: z.string(),
  tool: z.string(),
  ok: z.boolean(),
  /** The text the model got, bounded and redacted. */
  content: z.string(),
  data: z.json().optional(),
  error_kind: z.string().nullable(),
  /** File with the whole output, if it exceeded the model's budget. */
  spill: z.string().nullable(),
  duration_ms: z.number(),
});

/**
 * Entries of the run ledger, one an event, in order. Report, resuming and threads are made from
 * these alone. New entries may be added; old ones keep their shape.
 */
export const RunEntry = z.discriminatedUnion('type', [
  entry('run.started', {
    run_id: z.string(),
    session_id: z.string(),
    parent_run_id: z.string().nullable(),
    model: z.string(),
    profile: z.string(),
    preset: z.string(),
    sandbox: z.string(),
    prompt: z.string(),
    max_turns: z.int().nullable(),
    base_sha: z.string().nullable(),
    /** Default folder of commands, below the root. Omitted for the root. */
    start: z.string().optional(),
    /** Usage of a resumed session, and the part that its limits do not count. */
    before: SessionUsage.optional(),
    uncounted: SessionUsage.optional(),
    /** The run that it continues, and the question of that run; `prompt` is then the answer. */
    after: z.object({ run_id: z.string(), question: z.string().nullable() }).optional(),
  }),
  /** The origin of the run. Runs before version 1.0.0 have none. */
  entry('provenance', { provenance: Provenance }),
  /** Each message as it entered the conversation; together they are the session. */
  entry('message', { message: Message }),
  entry('turn.started', { turn: z.int() }),
  entry('usage', { turn: z.int(), usage: Usage, cost_usd: z.number().nullable() }),
  /** The run waits for the provider: it failed and is retried, or is silent. */
  entry('model.waiting', {
    /** `provider/model`. */
    model: z.string(),
    /** The reason, such as `rate_limited` or `overloaded`; `silent` where nothing failed yet. */
    reason: z.string(),
    /** A sentence with cause and duration. */
    message: z.string(),
    /** The coming try, from 1, and the maximum number. */
    attempt: z.int(),
    attempts: z.int(),
    /** Until the next try starts; for a silent provider, until this one ends at the latest. */
    wait_ms: z.int(),
  }),
  toolCall,
  toolResult,
  entry('change', { change: Change }),
  entry('refusal', { refusal: Refusal }),
  entry('approval.required', { approval: Approval }),
  entry('approval.decided', { decided: ApprovalDecision }),
  entry('grant', { grant: Grant }),
  /** State of an experiment, and the runs logged since its last entry. */
  entry('experiment', ExperimentHistory.shape),
  entry('todos', { todos: z.array(Todo) }),
  entry('question', { question: Question }),
  entry('handoff', { handoff: Handoff }),
  /** Instructions of the repository that hold from here on. */
  entry('instructions', { activated: ActivatedInstructions }),
  /** A file of the run's own that became its message, or was appended to it; `text` is the file. */
  entry('answer.committed', {
    path: z.string(),
    mode: z.enum(['replace', 'append']),
    text: z.string(),
    reason: z.string().optional(),
  }),
  /** The final answer as JSON that is valid by the requested schema. */
  entry('answer.structured', { value: z.json() }),
  /** The newest counts, of either. */
  entry('triage', { triage: Triage }),
  entry('description', { description: PullDescription }),
  entry('findings', { findings: z.array(Finding) }),
  /** Earlier findings that a review ends; the newest list counts. */
  entry('closed_findings', { closed: z.array(ClosedFinding) }),
  entry('walkthrough', { walkthrough: Walkthrough }),
  /** Findings of checks, before the first turn. */
  entry('checks', CheckResult.shape),
  /** One run of a program that the run itself uses as a check: a linter, a command that tries. */
  entry('validation', {
    /** Name of the check: `eslint`, or `command` for the command of `review.verify`. */
    check: z.string(),
    /** The command line; null if the program is named by `check` alone. */
    command: z.string().nullable(),
    /** The checked files, relative to the root; empty for the whole tree. */
    files: z.array(z.string()),
    /** `not_run`: it could not be started, did not end in time, or broke. */
    result: z.enum(['passed', 'failed', 'not_run']),
    exit_code: z.int().nullable(),
    /** Its output as text: a linter's report a line, else the end of what was printed. */
    output: z.string(),
    duration_ms: z.number(),
  }),
  /** Results of trying changes that may be suggested. */
  entry('suggestion_checks', { checks: z.array(SuggestionCheck) }),
  entry('child_run.started', { child_run_id: z.string(), title: z.string(), profile: z.string() }),
  /** A call of a child or its result, whole. Listeners get a short `ChildEvent` instead. */
  entry('child_run.entry', {
    child_run_id: z.string(),
    entry: z.discriminatedUnion('type', [toolCall, toolResult]),
  }),
  entry('child_run.result', {
    child_run_id: z.string(),
    conclusion: Conclusion,
    summary: z.string(),
    turns: z.int(),
    usage: Usage,
    /** In US dollars; null if a price was unknown. */
    cost_usd: z.number().nullable().optional(),
  }),
  /**
   * The set-up before the first turn: its commands at the start, then its results or the reason for
   * none.
   */
  entry('setup', {
    state: z.enum(['started', 'ready', 'cached', 'failed', 'skipped']),
    what: z.string(),
    duration_ms: z.number().optional(),
  }),
  entry('compaction', {
    before_tokens: z.int(),
    after_tokens: z.int(),
    /** A sentence on the compaction. */
    note: z.string(),
    /** Text instead of the summarised turns, if any. */
    kept: z.string().optional(),
  }),
  /** Information for the operator: a fallback taken, a file that could not be read. */
  entry('diagnostic', { level: z.enum(['info', 'warning', 'error']), message: z.string() }),
  entry('limit', { stop: StopReason }),
  /**
   * The file reached its size limit here. After it there are only `turn.started`, `usage`, `limit`,
   * changes without their diffs, and `run.finished`.
   */
  entry('cut', { limit_bytes: z.number(), message: z.string() }),
  entry('run.finished', {
    conclusion: Conclusion,
    answer: z.string(),
    stop: StopReason.nullable(),
    turns: z.int(),
    usage: Usage,
    cost_usd: z.number().nullable(),
    duration_ms: z.number(),
    /** The tool that states the result of such a run, if it ended well without calling it. */
    unreported: z.string().optional(),
  }),
]);
export type RunEntry = z.infer<typeof RunEntry>;

/** An entry in the file: numbered from 1, with a time stamp, one JSON object a line. */
export const RunLedgerLine = z.object({
  v: z.literal(1),
  seq: z.int().positive(),
  at: z.iso.datetime(),
  /**
   * SHA-256 (hex) of the line before, without its line end; null in the first line. Records of
   * version 0.1.0 have none.
   */
  prev: z.string().nullable().optional(),
  entry: RunEntry,
});
export type RunLedgerLine = z.infer<typeof RunLedgerLine>;
