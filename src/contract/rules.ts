import * as z from 'zod';

/** Matches one argument: a glob or `/regex/`, any of an array, a nested object, or a literal. */
export type Matcher = string | number | boolean | null | Matcher[] | { [key: string]: Matcher };
const Matcher: z.ZodType<Matcher> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(Matcher), z.record(z.string(), Matcher)]),
);

/**
 * One line of a permission policy. The first rule that matches decides; without a match the preset does.
 * With `delegate`, the program `to` is asked: JSON arguments on standard input, `AGENT_TOOL_NAME` in its
 * environment, exit 0 allow, 1 ask, 2 or more reject with its standard error shown to the model.
 */
export const Rule = z.strictObject({
  tool: z.string().min(1),
  matches: z.record(z.string(), Matcher).optional(),
  action: z.enum(['allow', 'ask', 'reject', 'delegate']),
  to: z.string().min(1).optional(),
  context: z.enum(['main', 'child', 'child_run']).optional(),
});
export type Rule = z.infer<typeof Rule>;
