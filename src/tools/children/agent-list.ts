import * as z from 'zod';
import { integer, unlessNull } from '../input/lenient.ts';
import { defineTool, toJson } from '../tool.ts';
import { childrenOf } from './render-children.ts';

const input = z.object({
  purpose: z.enum(['any', 'delegate', 'handoff']).default('any'),
  query: unlessNull(z.string()),
  limit: integer(z.int().positive().max(20)).default(8),
});

/** Maximum number of further agents listed by name only. */
const mostOthers = 40;

/** Lists the agents that may be started. */
export const agentList = defineTool({
  name: 'agent.list',
  description: 'List the agents you can hand a task to.',
  exposure: 'deferred',
  input,
  level: 'auto_read',
  targets: (args) => ({ what: args.query ?? args.purpose }),
  async execute(args, context) {
    if (args.purpose === 'handoff') {
      return {
        content:
          'No agent takes over permanently. agent_delegate gives one a task; handoff passes work to a person or a later run.',
        data: { agents: [], total: 0 },
      };
    }
    const wanted = args.query?.toLowerCase() ?? '';
    const fitting = (await childrenOf(context).kinds()).filter(({ id, description }) =>
      `${id} ${description}`.toLowerCase().includes(wanted),
    );
    const agents = fitting.slice(0, args.limit);
    const data = toJson({ agents, total: fitting.length });
    if (agents.length === 0) {
      const which = wanted === '' ? 'no agents' : `no agent for "${args.query}"`;
      return { content: `This run may start ${which}.`, data };
    }
    const lines = agents.map(
      ({ id, description, readOnly, maxTurns, maxCalls }) =>
        `${id}: ${description}. At most ${maxTurns} rounds${maxCalls === null ? '' : `, ${maxCalls} tool calls`}${readOnly ? '; changes nothing' : ''}.`,
    );
    const others = fitting.slice(args.limit).map(({ id }) => id);
    const named = others.slice(0, mostOthers).join(', ');
    const unnamed = others.length > mostOthers ? ', …' : '';
    const rest =
      others.length === 0
        ? []
        : [`[${others.length} more, each shown by a query for its name: ${named}${unnamed}]`];
    return { content: [...lines, ...rest].join('\n'), data };
  },
});
