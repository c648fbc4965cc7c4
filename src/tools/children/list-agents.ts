import * as z from 'zod';
import { defineTool, toJson } from '../tool.ts';
import { childData, childrenOf, renderChild } from './render-children.ts';

/** Lists the agents that this run started. */
export const listAgents = defineTool({
  name: 'list_agents',
  description: 'List the agents you started and how they stand.',
  exposure: 'deferred',
  input: z.object({}),
  level: 'auto_read',
  targets: () => ({ what: 'all agents' }),
  async execute(_args, context) {
    const children = await childrenOf(context).list();
    const lines = children.map((child) => renderChild(child, { short: true }));
    return {
      content: lines.length === 0 ? 'This run has started no agents.' : lines.join('\n'),
      data: toJson({ agents: children.map(childData) }),
    };
  },
});
