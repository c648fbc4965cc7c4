import * as z from 'zod';
import { integer, stringList, unlessNull } from '../input/lenient.ts';
import { toJson } from '../text/to-json.ts';
import { defineTool } from '../tool.ts';
import { childData, childrenOf, renderChild } from './render-children.ts';

const input = z.object({
  ids: unlessNull(stringList()).describe('default: all'),
  timeout_ms: integer(z.int().nonnegative().max(600_000)).default(30_000),
});

/** Waits until one of the agents of this run has ended. */
export const waitAgent = defineTool({
  name: 'wait_agent',
  aliases: { wait: {} },
  argumentAliases: { id: 'ids', agent_id: 'ids', agent_ids: 'ids', targets: 'ids' },
  description: 'Wait until one of the agents you started has ended, and get what it says.',
  exposure: 'deferred',
  input,
  level: 'auto_read',
  readOnly: true,
  targets: (args) => ({ what: args.ids?.join(', ') ?? 'all agents' }),
  async execute(args, context) {
    const ids = args.ids === undefined || args.ids.length === 0 ? null : args.ids;
    const waited = await childrenOf(context).wait(ids, { until: 'next', timeoutMs: args.timeout_ms });
    const { children, timedOut } = waited;
    const notes = [
      ...(children.length === 0 ? ['This run has started no agents.'] : []),
      ...(timedOut ? [`[none has ended within ${args.timeout_ms} ms; they go on]`] : []),
    ];
    return {
      content: [...children.map((child) => renderChild(child)), ...notes].join('\n\n'),
      data: toJson({ agents: children.map(childData), timed_out: timedOut }),
    };
  },
});
