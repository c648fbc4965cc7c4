import * as z from 'zod';
import { parsePattern } from './pattern.ts';

/**
 * A program and its arguments, as words between single spaces. Nothing of a shell is understood, so that it is plain
 * which file is run: what needs quotes or a pipe belongs into a script.
 */
export const ProgramLine = z
  .string()
  .max(1_000)
  .regex(
    /^[\w@%+=:,./-]+( [\w@%+=:,./-]+)*$/,
    'a program and its arguments, as plain words; what needs quotes or a shell belongs into a script',
  )
  .refine((line) => !line.split(' ').some(leadsUp), 'no path with .. in it; write it from the top');

/** A path of a file, from where relative paths start: neither absolute nor upwards. */
const BelowPath = z
  .string()
  .regex(/^[^/\0][^\0]*[^/\0]$|^[^/\0]$/, 'a relative path of a file')
  .refine((path) => !leadsUp(path), 'no path with .. in it');

/**
 * A program that is asked before each call of the tools it is for, or told of them afterwards. Before: the arguments as
 * JSON on standard input, `AGENT_TOOL_NAME` in its environment; exit 0 goes on to the rules, 1 asks a person, 2 or more
 * rejects with its standard error shown to the model. After: the result as well; it can add a note, or object.
 */
export const Hook = z.strictObject({
  /** What people call it; `env.pass` knows it as `hook:<name>`. */
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
 * A hook, and where it was read from: `.github/anode.yml:14`. `folder` is where its relative paths start, for one that
 * the operator of this machine wrote; those of a repository's file are paths of its base branch.
 */
export type Hook = z.infer<typeof Hook> & { readonly source?: string; readonly folder?: string };

/** A list of them before calls, and one after. */
export const Hooks = z.strictObject({
  before: z.array(Hook).max(100).optional(),
  after: z.array(Hook).max(100).optional(),
});

function leadsUp(path: string): boolean {
  return path.split('/').includes('..');
}

function checkPattern(text: string, context: z.RefinementCtx<string>): void {
  try {
    parsePattern(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    context.addIssue({ code: 'custom', message: `${text.slice(0, 100)} cannot be used: ${error.message}` });
  }
}
