import * as z from 'zod';
import { flag } from '../input/lenient.ts';
import { defineTool } from '../tool.ts';
import { childData, childrenOf, stateOf } from './render-children.ts';

const input = z.object({
  id: z.string().min(1),
  message: z.string().min(1),
  interrupt: flag().default(false).describe('stop what it does now'),
});

const targetsOf = (args: z.output<typeof input>) => ({ what: `${args.id}: ${args.message}` });

/** Gives an agent of this run further work. */
export const sendInput = defineTool({
  name: 'send_input',
  argumentAliases: { agent_id: 'id', target: 'id', input: 'message', prompt: 'message' },
  description:
    'Send another message to an agent you started: it reads it before its next turn; an ended one continues with it.',
  exposure: 'deferred',
  input,
  level: 'delegated',
  targets: targetsOf,
  async prepare(args, context) {
    const children = (await context.children?.list()) ?? [];
    const onlyReads = children.some(({ id, readOnly }) => id === args.id.trim() && readOnly);
    return { targets: targetsOf(args), diff: '', state: null, onlyReads };
  },
  async execute(args, context) {
    const child = await childrenOf(context).send(args.id, args.message, { interrupt: args.interrupt });
    return { content: `Agent ${child.id} is told; it is ${stateOf(child)}.`, data: childData(child) };
  },
});
