import * as z from 'zod';
import { invalidInput } from '../../contract/errors.ts';
import { Rule } from '../../contract/rules.ts';
import { list, unlessNull } from '../input/lenient.ts';
import { defineTool } from '../tool.ts';

/** More than a person would read with care. */
const mostPermissions = 10;

const permission = z.preprocess(
  (value) => (typeof value === 'string' ? { tool: value } : value),
  z.object({ tool: z.string().min(1).max(100), matches: Rule.shape.matches }),
);

const input = z.object({
  permissions: list(z.array(permission).max(mostPermissions))
    .default([])
    .describe('[{tool, matches: {command: "npm publish*"}}]; matches as in rules, globs or /regex/'),
  tools: unlessNull(list(z.array(z.string().min(1).max(100)).max(mostPermissions))).describe(
    'names, for all calls of these',
  ),
  reason: z.string().min(1).max(2_000),
});

/** Asks a person to allow tools, or some of their calls, for the rest of the session. */
export const requestPermissions = defineTool({
  name: 'request_permissions',
  argumentAliases: { justification: 'reason', permission: 'permissions' },
  description:
    'Ask a person to allow, until this session ends, calls that would each need approval; the run waits. What is refused outright stays refused.',
  exposure: 'deferred',
  input,
  level: 'interactive',
  targets: (args) => ({
    what: requestedPermissions(args)
      .map(({ tool }) => tool)
      .join(', '),
  }),
  async execute(args, context) {
    const permissions = requestedPermissions(args);
    if (permissions.length === 0)
      throw invalidInput('Name what is to be allowed, in permissions or in tools.');
    return context.requestPermissions({ permissions, reason: args.reason });
  },
});

function requestedPermissions({ permissions, tools }: z.output<typeof input>) {
  const named = permissions.map(({ tool, matches }) =>
    matches === undefined ? { tool } : { tool, matches },
  );
  return [...named, ...(tools ?? []).map((tool) => ({ tool }))];
}
