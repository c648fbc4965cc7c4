import * as z from 'zod';
import { defineTool } from '../tool.ts';
import { childData, childrenOf, renderChild } from './render-children.ts';

const input = z.object({ id: z.string().min(1) });

/** Ends an agent of this run permanently. */
export const closeAgent = defineTool({
  name: 'close_agent',
  argumentAliases: { agent_id: 'id', target: 'id' },
  description: 'End an agent you started; what it changed stays.',
  exposure: 'deferred',
  input,
  level: 'state_write',
  ownState: true,
  targets: (args) => ({ what: args.id }),
  async execute(args, context) {
    const child = await childrenOf(context).close(args.id);
    return { content: renderChild(child), data: childData(child) };
  },
});
