import * as z from 'zod';
import { defineTool } from '../tool.ts';
import { childData, childrenOf, stateOf } from './render-children.ts';
import { agentFields } from './sub-agent.ts';

const input = z.object({
  message: z.string().min(1).describe('its task, with all it has to know'),
  ...agentFields,
});

/** Starts an agent that can be given further work. */
export const spawnAgent = defineTool({
  name: 'spawn_agent',
  argumentAliases: {
    prompt: 'message',
    task: 'message',
    agent: 'agent_type',
    profile: 'agent_type',
    name: 'title',
  },
  description:
    'Start an agent beside you and get its id: send_input gives it more to do, wait_agent waits for it, close_agent ends it.',
  exposure: 'deferred',
  findBy: ['agents', 'subagent|delegate'],
  input,
  level: 'delegated',
  children: (args) => [{ profile: args.agent_type, readOnly: args.read_only }],
  targets: (args) => ({ what: args.title ?? args.message }),
  async execute(args, context) {
    const child = await childrenOf(context).start({
      title: args.title ?? args.message.slice(0, 80),
      profile: args.agent_type,
      prompt: args.message,
      readOnly: args.read_only,
      moreTools: ['send_message', 'receive_messages'],
    });
    return { content: `Agent ${child.id} is ${stateOf(child)}.`, data: childData(child) };
  },
});
