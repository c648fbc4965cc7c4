import * as z from 'zod';
import { patternProblemOf } from './pattern.ts';

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

/** Returns true for a path with a step to the folder above. */
export function leadsUp(path: string): boolean {
  return path.split('/').includes('..');
}

/** Adds an issue for a pattern that cannot be used. */
export function checkPattern(text: string, context: z.RefinementCtx<string>): void {
  const message = patternProblemOf(text);
  if (message !== null) context.addIssue({ code: 'custom', message });
}

/**
 * Matches one argument: a glob or `/regex/`, one element of an array, a nested object, or a
 * literal.
 */
export type Matcher = string | number | boolean | null | Matcher[] | { [key: string]: Matcher };
const Matcher: z.ZodType<Matcher> = z.lazy(() =>
  z.union([
    z.string().superRefine(checkPattern),
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
