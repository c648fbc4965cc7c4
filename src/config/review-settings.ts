import * as z from 'zod';
import { CheckSettings } from '../contract/checks.ts';
import { Severity } from '../contract/findings.ts';

/** Command that tries suggested changes in a scratch tree of the reviewed head. */
const Verify = z.union([
  z.string().min(1).max(4_000),
  z.strictObject({
    command: z.string().min(1).max(4_000),
    timeoutSeconds: z.int().positive().max(1_800).optional(),
    /** True: also on pull requests from forks, where it runs untrusted code. */
    forks: z.boolean().optional(),
  }),
]);

/** Scope and handling of reviews. */
export const ReviewSettings = z.strictObject({
  auto: z.boolean().optional(),
  drafts: z.boolean().optional(),
  minSeverity: Severity.optional(),
  /** The least severity that gets a thread on its line; the summary tells the others. */
  threadsFrom: Severity.optional(),
  maxComments: z.int().positive().optional(),
  ignore: z.array(z.string()).optional(),
  /** The checks without a model, each on or off, or with its bounds. Default: all on. */
  checks: CheckSettings.optional(),
  /**
   * Review of a head that one of our runs made: none, checks only, or in full. Findings are settled
   * and the check run is written in any case.
   */
  ownCommits: z.enum(['off', 'checks', 'full']).optional(),
  /** True: reviews consist of checks only, without a model or a key. */
  checksOnly: z.boolean().optional(),
  /** True: the App uploads the findings of a review to code scanning, if it has permission. */
  sarif: z.boolean().optional(),
  verify: Verify.optional(),
  /** The only files that are reviewed. Default: all. */
  paths: z.array(z.string()).optional(),
  /** Instructions for the reviewer on some files. All that match a file apply. */
  instructions: z
    .array(z.strictObject({ paths: z.union([z.string(), z.array(z.string())]), text: z.string().max(4_000) }))
    .max(50)
    .optional(),
  /** Language of findings and answer, such as `German` or `pt-BR`. */
  language: z
    .string()
    .regex(/^[\p{L}\p{M}\p{N} ()-]{2,40}$/u, 'the name or code of a language')
    .optional(),
  /** Output of a review without findings: one line, or nothing if no one requested it. */
  empty: z.enum(['line', 'silent']).optional(),
  /** Approves a pull request without open findings. */
  approve: z.boolean().optional(),
  /** The least severity of an open finding that fails the check and a workflow's step. */
  failOn: Severity.optional(),
  /** The least severity at which changes are requested; true is `high`. */
  requestChanges: z.union([z.boolean(), Severity]).optional(),
});

/** Questions of a run to people. */
export const QuestionSettings = z.strictObject({
  /**
   * Hours that a question waits before the run continues with its default, or without an answer; 0:
   * no limit.
   */
  deadlineHours: z.number().min(0).max(720).optional(),
  /** Reminds the thread once, before the deadline. */
  remind: z.boolean().optional(),
  /**
   * People who may answer besides those with write permission: logins, and `@author` for the
   * thread's author.
   */
  answerers: z
    .array(z.string().regex(/^(?:@author|[A-Za-z0-9][A-Za-z0-9-]{0,38})$/, 'a login, or @author'))
    .max(20)
    .optional(),
});
