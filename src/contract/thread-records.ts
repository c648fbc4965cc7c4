import { createHash } from 'node:crypto';
import * as z from 'zod';
import { Requester } from './plan.ts';
import { stateKeys } from './state-keys.ts';

/** A time at which a waiting question needs an action; the App searches for the due ones. */
export const ThreadTimer = z.object({
  version: z.literal(1),
  kind: z.enum(['reminder', 'deadline']),
  /** ISO 8601. */
  due: z.iso.datetime(),
  /** The run that asked. */
  run_id: z.string(),
  installation_id: z.int().nullable(),
  repository: z.object({ owner: z.string(), name: z.string() }),
  thread: z.object({ kind: z.enum(['pull_request', 'issue']), number: z.int() }),
  /** Requester of the run. Without an answer, the run continues in their name. */
  requester: z.object({ login: z.string(), id: z.int(), type: z.string() }),
});
export type ThreadTimer = z.infer<typeof ThreadTimer>;

/** The name of the event that a due timer becomes; GitHub has none like it. */
export const timerEvent = 'anode_alarm';

/**
 * The name of the event of a workflow that asks for a review or an implementation by its input
 * `mode`; GitHub has none like it.
 */
export const modeEvent = 'anode_mode';

/** When the timer at a key is due, ISO 8601. */
export function dueOf(key: string): string {
  return key.slice(stateKeys.allTimers.length).split('/')[0] ?? '';
}

/**
 * Lets our own label on a handoff's issue start the next run. Stored when the issue is made.
 * `depth`: handoffs in a row without a person in between.
 */
export const Autorun = z.object({
  run_id: z.string(),
  requester: Requester.pick({ login: true, id: true, type: true }),
  depth: z.int().positive(),
});
export type Autorun = z.infer<typeof Autorun>;

/** Runs that may start one another before a person has to. */
export const deepestAutorun = 3;

/** Action of a box in the comment with a run's controls. */
export const ControlName = z.enum(['stop', 'retry', 'apply']);
export type ControlName = z.infer<typeof ControlName>;

/**
 * The comment with the controls of a run as we wrote it last. Other text in it on GitHub was
 * written by others.
 */
export const Controls = z.object({
  version: z.literal(1),
  run_id: z.string(),
  /**
   * Null from before the comment is posted until its id is known: boxes count as soon as it exists.
   */
  comment_id: z.int().nullable(),
  /** With its hidden first line. */
  text: z.string(),
  boxes: z.array(z.object({ line: z.int().min(0), does: ControlName })).max(10),
});
export type Controls = z.infer<typeof Controls>;

/** Controls whose comment is known. */
export type PlacedControls = Controls & { readonly comment_id: number };

/** A box of a pull request's summary, and the run that it is about. */
export const SummaryBox = z.object({ does: ControlName, run_id: z.string() });
export type SummaryBox = z.infer<typeof SummaryBox>;

/** Lines and boxes below the text of a pull request's summary. */
export const SummaryBoxes = z.object({
  version: z.literal(1),
  /** The newest run last. */
  boxes: z.array(SummaryBox).max(100),
  /** False while open suggestions are too few for a box. Their runs are stored all the same. */
  offers: z.boolean().default(true),
  /** The result of the last ticked box, as Markdown; '' for none. */
  result: z.string().max(20_000),
});
export type SummaryBoxes = z.infer<typeof SummaryBoxes>;

/**
 * A summary comment with boxes, as we wrote it once. A tick is read against the text that it
 * changed, so an edit of ours at the same time does not lose it.
 */
export const SummaryBody = z.object({
  version: z.literal(1),
  text: z.string(),
  boxes: z.array(SummaryBox.extend({ line: z.int().min(0) })).max(10),
});
export type SummaryBody = z.infer<typeof SummaryBody>;

/**
 * A comment with our 👀, which means that a run works on it. Stored from before the reaction is
 * created until it is removed, so none is left behind.
 */
export const EyesReaction = z.object({
  version: z.literal(1),
  repository: z.object({ owner: z.string(), name: z.string() }),
  comment: z.object({ id: z.number(), kind: z.enum(['issue_comment', 'review_comment']) }),
  /** The delivery of the comment: the reaction stays until it is handled. */
  delivery_id: z.string(),
  /** The request, to tell what waits on its thread. Omitted by older versions. */
  request: z
    .object({
      thread: z.int(),
      login: z.string(),
      /** Its verb and first words as code. */
      quote: z.string(),
    })
    .optional(),
});
export type EyesReaction = z.infer<typeof EyesReaction>;

/**
 * A plan that was posted and can be approved. What its comment is edited to say does not matter:
 * this is the plan.
 */
export const PlanProposal = z.object({
  version: z.literal(1),
  run_id: z.string(),
  hash: z.string(),
  /** Text of the plan, as it was posted. */
  text: z.string(),
  /** The commit it was made on. */
  head_sha: z.string(),
});
export type PlanProposal = z.infer<typeof PlanProposal>;

interface Thread {
  readonly repository: { readonly owner: string; readonly name: string };
  readonly number: number;
}

/**
 * Returns the name of a plan: 16 hexadecimal digits of SHA-256 over its text, commit and thread.
 */
export function proposalHash(text: string, headSha: string, { repository, number }: Thread): string {
  const named = [text, headSha, `${repository.owner}/${repository.name}`.toLowerCase(), number];
  return createHash('sha256').update(JSON.stringify(named)).digest('hex').slice(0, 16);
}

/**
 * Meaning of a box: an option of a question (0 for the first), or null for the box that sends the
 * answers.
 */
export const Box = z.object({
  /** The line of the comment it stands on, from 0. */
  line: z.int().min(0),
  means: z.object({ question: z.int().min(0), option: z.string() }).nullable(),
});
export type Box = z.infer<typeof Box>;

/**
 * A comment of ours with checkboxes, as it was after the last permitted click. Other text of the
 * comment on GitHub was written by others.
 */
export const PostedBoxes = z.object({
  version: z.literal(1),
  comment_id: z.int(),
  url: z.string(),
  text: z.string(),
  boxes: z.array(Box).max(200),
});
export type PostedBoxes = z.infer<typeof PostedBoxes>;
