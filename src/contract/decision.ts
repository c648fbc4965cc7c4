import * as z from 'zod';
import { Action, Level } from './levels.ts';
import { Rule } from './rules.ts';

/** The gate's decision on one tool call, with its rule. `reason` is for people and the model. */
export const Decision = z.object({
  action: Action,
  level: Level,
  reason: z.string(),
  /** Advice to the model, as sentences. People are not shown it. */
  advice: z.string().optional(),
  rule: z.string().nullable(),
  /**
   * True if no rule, grant or comment may lift the refusal: escapes, credentials, protected paths.
   */
  hard: z.boolean(),
  /**
   * True for a rejection that the model can correct itself, such as a script that cannot be parsed.
   * `advice` explains how.
   */
  mistake: z.boolean().optional(),
  /** The simple commands a script was taken apart into, each with its own verdict. */
  commands: z.array(z.object({ command: z.string(), action: Action, reason: z.string() })),
});
export type Decision = z.infer<typeof Decision>;

/** A call that was not made, as the report lists it. */
export const Refusal = z.object({
  tool: z.string(),
  what: z.string(),
  reason: z.string(),
  call_id: z.string(),
});
export type Refusal = z.infer<typeof Refusal>;

/**
 * A call that a person has to agree to: nothing was executed. `diff` is what would have changed.
 */
export const Approval = z.object({
  tool: z.string(),
  what: z.string(),
  reason: z.string(),
  /** Name that people type: the beginning of `digest`. It proves nothing by itself. */
  hash: z.string(),
  diff: z.string().optional(),
  call_id: z.string(),
  /** True if the run waits for it; otherwise it is a proposal in the report. */
  waits: z.boolean().optional(),
  /** The whole SHA-256 (hex) of the call: a later call must have the same. */
  digest: z.string().optional(),
  /**
   * Targets of the call, for the person who decides. `input` is set if nothing else describes it.
   */
  commands: z.array(z.string()).optional(),
  /** The simple commands of these, by themselves. */
  parts: z.array(z.string()).optional(),
  paths: z.array(z.object({ path: z.string(), access: z.enum(['read', 'write']) })).optional(),
  urls: z.array(z.string()).optional(),
  input: z.string().optional(),
  /** For `request_permissions`: the rules that would hold for the rest of the session. */
  permissions: z.array(Rule).optional(),
});
export type Approval = z.infer<typeof Approval>;

/** The outcome of an approval. `lapsed`: approved, but not done; `note` is the reason. */
export const ApprovalDecision = z.object({
  hash: z.string(),
  tool: z.string(),
  what: z.string(),
  verdict: z.enum(['approved', 'denied', 'lapsed']),
  /** The login of who decided; for a local run, `the operator`. */
  by: z.string(),
  /** The commit it was decided on; null without git. */
  head_sha: z.string().nullable(),
  /** The reason of a refusal, or why nothing was done; else empty. */
  note: z.string(),
});
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;

/**
 * Permissions of a person for the rest of a session. They answer questions, but lift no refusal.
 */
export const Grant = z.object({
  hash: z.string(),
  /** Each with the action `allow` and the exact name of one tool. */
  permissions: z.array(Rule),
  reason: z.string(),
  by: z.string(),
  /** The grant ends when the head is another one. */
  head_sha: z.string().nullable(),
});
export type Grant = z.infer<typeof Grant>;
