import * as z from 'zod';
import { ProgramLine } from './hooks.ts';
import { parsePattern } from './pattern.ts';

/** Matches one argument: a glob or `/regex/`, any of an array, a nested object, or a literal. */
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
 * One line of a permission policy. The first rule that matches decides; without a match the preset does.
 * With `delegate`, the program `to` is asked: JSON arguments on standard input, `AGENT_TOOL_NAME` in its
 * environment, exit 0 allow, 1 ask, 2 or more reject with its standard error shown to the model.
 */
export const Rule = z
  .strictObject({
    /** What people call the rule; decisions and errors say it. */
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

/** A rule, and where it was read from: `.github/anode.yml:14`. `folder`: where the path of `to` starts, as for hooks. */
export type Rule = z.infer<typeof Rule> & { readonly source?: string; readonly folder?: string };

function patternProblemOf(text: string): string | null {
  try {
    parsePattern(text);
    return null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const shown = text.length > 100 ? `${text.slice(0, 99)}…` : text;
    return `${shown} cannot be used as a ${text.startsWith('/') ? 'regular expression' : 'pattern'}: ${error.message}`;
  }
}
