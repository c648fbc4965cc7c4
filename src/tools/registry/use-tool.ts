import * as z from 'zod';
import { defineTool } from '../tool.ts';

/**
 * Calls deferred tools, so that the list of advertised tools never changes during a run. Every such
 * call is routed to the named tool before anything else.
 */
export const useTool = defineTool({
  name: 'use_tool',
  description: 'Call a tool found by tool_search.',
  input: z.object({ name: z.string().min(1), args: z.looseObject({}) }),
  level: 'auto_read',
  targets: (args) => ({ what: args.name }),
  execute: async (args) => {
    throw new Error(`use_tool was executed itself in place of ${args.name}`);
  },
});
