import * as z from 'zod';
import { parseRegex, type RegexNode } from './regex-syntax.ts';

/**
 * A pattern of a rule: a glob for the whole text, or a regular expression searched anywhere in it.
 */
export type Pattern =
  | { readonly kind: 'glob'; readonly glob: string }
  | { readonly kind: 'regex'; readonly tree: RegexNode; readonly flags: string };

/** A longer one is not realistic, and would cost time on every call. */
const longestPattern = 1_000;

/**
 * Reads a pattern. `/…/` is a regular expression, with optional flags (`i`, `m`, `s`, `u`) after
 * the last slash; anything else is a glob. Throws `SyntaxError` on a pattern that cannot be used.
 */
export function parsePattern(text: string): Pattern {
  if (text.length > longestPattern)
    throw new SyntaxError(`it has ${text.length} characters, more than ${longestPattern}`);
  const [, source, flags = ''] = /^\/(.+)\/([imsu]*)$/s.exec(text) ?? [];
  if (source === undefined) return { kind: 'glob', glob: text };
  return { kind: 'regex', tree: parseRegex(source, flags), flags };
}

/**
 * A program and its arguments, as words between single spaces. There is no shell syntax, so the
 * program is always clear: put quotes or a pipe into a script.
 */
export const ProgramLine = z
  .string()
  .max(1_000)
  .regex(
    /^[\w@%+=:,./-]+( [\w@%+=:,./-]+)*$/,
    'a program and its arguments, as plain words; put anything that needs quotes or a shell into a script',
  )
  .refine((line) => !line.split(' ').some(leadsUp), 'no path with .. in it; write it from the top');

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

/**
 * Matches one argument: a glob or `/regex/`, one element of an array, a nested object, or a
 * literal.
 */
export type Matcher = string | number | boolean | null | Matcher[] | { [key: string]: Matcher };
const Matcher: z.ZodType<Matcher> = z.lazy(() =>
  z.union([
    z.string().superRefine((text, context) => {
      const message = patternProblemOf(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    }),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(Matcher),
    z.record(z.string(), Matcher),
  ]),
);

/**
 * One rule of a permission policy. The first rule that matches decides; without a match the preset
 * does. With `delegate`, the program `to` gets the arguments as JSON on standard input, and
 * `AGENT_TOOL_NAME` in its environment. Exit 0 allows, 1 asks, 2 or more rejects with its standard
 * error for the model.
 */
export const Rule = z
  .strictObject({
    /** Name for people, in decisions and errors. */
    name: z.string().min(1).max(100).optional(),
    tool: z.string().min(1),
    matches: z.record(z.string(), Matcher).optional(),
    action: z.enum(['allow', 'ask', 'reject', 'delegate']),
    to: ProgramLine.optional(),
    context: z.enum(['main', 'child', 'child_run']).optional(),
  })
  .superRefine((rule, context) => {
    const toolProblem = patternProblemOf(rule.tool);
    if (toolProblem !== null) context.addIssue({ code: 'custom', path: ['tool'], message: toolProblem });
    if (rule.action === 'delegate' && rule.to === undefined)
      context.addIssue({
        code: 'custom',
        path: ['action'],
        message: 'delegate wants a program to ask, in the key to',
      });
    if (rule.action !== 'delegate' && rule.to !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['to'],
        message: `a program is asked with the action delegate only, not with ${rule.action}`,
      });
  });

/**
 * A rule and its source: `.github/anode.yml:14`. `folder`: the base of the path in `to`, as for
 * hooks.
 */
export type Rule = z.infer<typeof Rule> & { readonly source?: string; readonly folder?: string };

function patternProblemOf(text: string): string | null {
  try {
    parsePattern(text);
    return null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const short = text.length > 100 ? `${text.slice(0, 99)}…` : text;
    return `${short} cannot be used as a ${text.startsWith('/') ? 'regular expression' : 'pattern'}: ${error.message}`;
  }
}
