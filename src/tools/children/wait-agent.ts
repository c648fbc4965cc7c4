import * as z from 'zod';
import { integer, stringList, unlessNull } from '../input/lenient.ts';
import { defineTool, toJson } from '../tool.ts';
import { waitForChildren } from './render-children.ts';

const input = z.object({
  ids: unlessNull(stringList()).describe('default: all'),
  timeout_ms: integer(z.int().nonnegative().max(600_000)).default(30_000),
});

/** Waits until one of the agents of this run has ended. */
export const waitAgent = defineTool({
  name: 'wait_agent',
  aliases: { wait: {} },
  argumentAliases: { id: 'ids', agent_id: 'ids', agent_ids: 'ids', targets: 'ids' },
  description: 'Wait until one of the agents you started has ended, and get its last text.',
  exposure: 'deferred',
  input,
  level: 'auto_read',
  targets: (args) => ({ what: args.ids?.join(', ') ?? 'all agents' }),
  async execute(args, context) {
    const { parts, data, timedOut } = await waitForChildren(context, args.ids, {
      until: 'next',
      timeoutMs: args.timeout_ms,
      late: `[none has ended within ${args.timeout_ms} ms; they go on]`,
    });
    return { content: parts.join('\n\n'), data: toJson({ agents: data, timed_out: timedOut }) };
  },
});
