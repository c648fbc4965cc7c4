import * as z from 'zod';
import { CheckSettings, Severity } from '../contract/findings.ts';

/** What suggested changes are tried with before they are offered, in a scratch tree of the reviewed head. */
const Verify = z.union([
  z.string().min(1).max(4_000),
  z.strictObject({
    command: z.string().min(1).max(4_000),
    timeoutSeconds: z.int().positive().max(1_800).optional(),
    /** True: also on pull requests from forks, where it runs a stranger's code. */
    forks: z.boolean().optional(),
  }),
]);

/** What is reviewed, by what, and what becomes of what is found. */
export const ReviewSettings = z.strictObject({
  auto: z.boolean().optional(),
  drafts: z.boolean().optional(),
  minSeverity: Severity.optional(),
  maxComments: z.int().positive().optional(),
  ignore: z.array(z.string()).optional(),
  /** The checks that need no model, each on or off, or with its bounds; left out, all are on. */
  checks: CheckSettings.optional(),
  /** True: reviews consist of the checks alone; no model is asked, and no key is needed. */
  checksOnly: z.boolean().optional(),
  /** True: the App uploads what a review found to code scanning, where it may. */
  sarif: z.boolean().optional(),
  verify: Verify.optional(),
  /** Only these files are reviewed; left out, all. */
  paths: z.array(z.string()).optional(),
  /** What a reviewer has to know of some files; of several that fit a file, all are told. */
  instructions: z
    .array(z.strictObject({ paths: z.union([z.string(), z.array(z.string())]), text: z.string().max(4_000) }))
    .max(50)
    .optional(),
  /** What findings and answer are written in, such as `German` or `pt-BR`. */
  language: z
    .string()
    .regex(/^[\p{L}\p{M}\p{N} ()-]{2,40}$/u, 'the name or code of a language')
    .optional(),
  /** What a review that finds nothing leaves: one line, or, where nobody asked for it, nothing. */
  empty: z.enum(['line', 'silent']).optional(),
  /** Whether a pull request in which nothing is open is approved. */
  approve: z.boolean().optional(),
  /** The least severity at which changes are requested; true is `high`. */
  requestChanges: z.union([z.boolean(), Severity]).optional(),
});

/** How questions of a run are put to people. */
export const QuestionSettings = z.strictObject({
  /** Hours that a question waits for before the run goes on with its default, or without an answer; 0: for good. */
  deadlineHours: z.number().min(0).max(720).optional(),
  /** Whether the thread is reminded once, before the deadline. */
  remind: z.boolean().optional(),
  /** Who may answer besides people with write permission: logins, and `@author` for the author of the thread. */
  answerers: z
    .array(z.string().regex(/^(?:@author|[A-Za-z0-9][A-Za-z0-9-]{0,38})$/, 'a login, or @author'))
    .max(20)
    .optional(),
});
