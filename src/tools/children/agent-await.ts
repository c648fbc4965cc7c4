import * as z from 'zod';
import { integer, stringList, unlessNull } from '../input/lenient.ts';
import { parentMailbox } from '../services/mailboxes.ts';
import { toJson } from '../text/to-json.ts';
import { defineTool } from '../tool.ts';
import { childData, childrenOf, renderChild } from './render-children.ts';

const modes = { nextCompleted: 'next', allCompleted: 'all', statusOnly: 'now' } as const;

const input = z.object({
  taskIds: unlessNull(stringList()).describe('default: all of this run'),
  mode: z.enum(['nextCompleted', 'allCompleted', 'statusOnly']).default('nextCompleted'),
  timeoutMs: integer(z.int().nonnegative().max(300_000)).default(120_000),
});

/** Waits for agents that this run started, or reports their status. */
export const agentAwait = defineTool({
  name: 'agent.await',
  argumentAliases: { task_ids: 'taskIds', taskId: 'taskIds', timeout_ms: 'timeoutMs' },
  description: 'Wait for agents you started, until one or all have ended, or look how they stand.',
  exposure: 'deferred',
  input,
  level: 'auto_read',
  readOnly: true,
  targets: (args) => ({ what: args.taskIds?.join(', ') ?? 'all tasks' }),
  async execute(args, context) {
    const ids = args.taskIds === undefined || args.taskIds.length === 0 ? null : args.taskIds;
    const { children, timedOut } = await childrenOf(context).wait(ids, {
      until: modes[args.mode],
      timeoutMs: args.timeoutMs,
    });
    const mail = context.mailboxes.waiting().find(({ name }) => name === parentMailbox);
    const notes = [
      ...(children.length === 0 ? ['This run has started no agents.'] : []),
      ...(timedOut
        ? [`[warning: not ended within ${args.timeoutMs} ms; they go on. Wait again or go on yourself.]`]
        : []),
      ...(mail === undefined
        ? []
        : [
            `[${mail.count} ${mail.count === 1 ? 'message waits' : 'messages wait'} for you: receive_messages]`,
          ]),
    ];
    return {
      content: [...children.map((child) => renderChild(child)), ...notes].join('\n\n'),
      data: toJson({ tasks: children.map(childData), timed_out: timedOut }),
    };
  },
});
