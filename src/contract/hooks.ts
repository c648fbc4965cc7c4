import * as z from 'zod';
import { checkPattern, leadsUp, ProgramLine } from './rules.ts';

/** A path of a file, relative to the base folder: neither absolute nor upwards. */
const BelowPath = z
  .string()
  .regex(/^[^/\0][^\0]*[^/\0]$|^[^/\0]$/, 'a relative path of a file')
  .refine((path) => !leadsUp(path), 'no path with .. in it');

/**
 * A program that runs before each call of its tools, or after it with the result. Before: the
 * arguments as JSON on standard input, `AGENT_TOOL_NAME` in its environment. Exit code 0 continues
 * to the rules, 1 asks a person, and 2 or more rejects with its standard error for the model.
 * After: the result as well; it can add a note or an objection.
 */
export const Hook = z.strictObject({
  /** Name for people. `env.pass` calls it `hook:<name>`. */
  name: z
    .string()
    .regex(/^[\w.-]{1,60}$/, 'letters, digits and _ . - only')
    .optional(),
  /** A tool's own name, a glob or `/regex/`. */
  tool: z.string().min(1).superRefine(checkPattern),
  run: ProgramLine,
  /** More files that the program needs beside it. */
  files: z.array(BelowPath).max(20).optional(),
  timeoutSeconds: z.int().min(1).max(600).optional(),
});

/**
 * A hook and its source: `.github/anode.yml:14`. `folder` is the base of its relative paths, for a
 * program of this machine's operator. Paths in a repository's file belong to its base branch.
 */
export type Hook = z.infer<typeof Hook> & { readonly source?: string; readonly folder?: string };

/** A list of them before calls, and one after. */
export const Hooks = z.strictObject({
  before: z.array(Hook).max(100).optional(),
  after: z.array(Hook).max(100).optional(),
});
