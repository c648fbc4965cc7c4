import * as z from 'zod';
import { flag, unlessNull } from '../input/lenient.ts';
import { defineTool, toJson } from '../tool.ts';
import { changedPaths, childText } from './render-children.ts';

/** Schema fields of the agent that a call starts. */
export const agentFields = {
  agent_type: z.string().min(1).default('craft').describe('from agent_list'),
  title: unlessNull(z.string().min(1).max(200)),
  read_only: flag().default(false),
};

const input = z.object({
  task: z.string().min(1).describe('all it has to know'),
  ...agentFields,
});

/** Has one isolated child do one task, and waits for its result. */
export const subAgent = defineTool({
  name: 'sub_agent',
  argumentAliases: {
    prompt: 'task',
    goal: 'task',
    description: 'title',
    agent: 'agent_type',
    profile: 'agent_type',
  },
  description: 'Have an agent of its own do one task, and wait for its result.',
  exposure: 'deferred',
  findBy: ['agents', 'subagent|delegate'],
  input,
  level: 'delegated',
  children: (args) => [{ profile: args.agent_type, readOnly: args.read_only }],
  targets: (args) => ({ what: args.title ?? args.task }),
  async execute(args, context) {
    const result = await context.runChild({
      title: args.title ?? args.task.slice(0, 80),
      profile: args.agent_type,
      prompt: args.task,
      readOnly: args.read_only,
    });
    const { childRunId: agent_id, conclusion, turns, usage, answer: summary } = result;
    return {
      content: childText(result),
      data: toJson({ agent_id, conclusion, summary, turns, usage, changed: changedPaths(result) }),
    };
  },
});
