import * as z from 'zod';
import { integer, stringList, unlessNull } from '../input/lenient.ts';
import { parentMailbox } from '../services/mailboxes.ts';
import { defineTool, toJson } from '../tool.ts';
import { waitForChildren } from './render-children.ts';

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
  description: 'Wait for agents you started, until one or all have ended, or check their state.',
  exposure: 'deferred',
  input,
  level: 'auto_read',
  targets: (args) => ({ what: args.taskIds?.join(', ') ?? 'all tasks' }),
  async execute(args, context) {
    const { parts, data, timedOut } = await waitForChildren(context, args.taskIds, {
      until: modes[args.mode],
      timeoutMs: args.timeoutMs,
      late: `[warning: not ended within ${args.timeoutMs} ms; they go on. Wait again or go on yourself.]`,
    });
    const mail = context.mailboxes.waiting().find(({ name }) => name === parentMailbox);
    if (mail !== undefined) {
      const waits = mail.count === 1 ? 'message waits' : 'messages wait';
      parts.push(`[${mail.count} ${waits} for you: receive_messages]`);
    }
    return { content: parts.join('\n\n'), data: toJson({ tasks: data, timed_out: timedOut }) };
  },
});
