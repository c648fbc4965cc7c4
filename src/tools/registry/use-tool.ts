import * as z from 'zod';
import { defineTool } from '../tool.ts';

/**
 * The one way to tools that the model was not told of at first, so that what it is told never changes during a
 * run. Every such call is routed to the tool it names before anything else is done with it.
 */
export const useTool = defineTool({
  name: 'use_tool',
  description: 'Call a tool found by tool_search.',
  input: z.object({ name: z.string().min(1), args: z.looseObject({}) }),
  level: 'auto_read',
  readOnly: true,
  targets: (args) => ({ what: args.name }),
  execute: async (args) => {
    throw new Error(`use_tool was executed itself in place of ${args.name}`);
  },
});
