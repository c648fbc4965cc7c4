import * as z from 'zod';
import { integer, unlessNull } from '../input/lenient.ts';
import type { AgentKind } from '../services/children.ts';
import { defineTool } from '../tool.ts';
import { childData, childrenOf, stateOf } from './render-children.ts';

const anything = () => unlessNull(z.json());

const input = z.object({
  agentId: z.string().min(1).describe('from agent_list'),
  task: z
    .object({
      objective: z.string().min(1).describe('the result wanted, with all it has to know'),
      title: unlessNull(z.string().min(1).max(200)),
      context: anything().describe('facts, limits, paths, notes'),
      expectedOutput: anything().describe('the shape of the result'),
    })
    .describe('objective, and title, context, expectedOutput'),
  budget: unlessNull(
    z.object({
      maxRounds: unlessNull(integer(z.int().positive())),
      maxToolCalls: unlessNull(integer(z.int().positive())),
    }),
  ),
});

type Budget = NonNullable<z.output<typeof input>['budget']>;

/** Starts an agent on a task beside this run. */
export const agentDelegate = defineTool({
  name: 'agent.delegate',
  argumentAliases: { agent_id: 'agentId' },
  description: 'Start an agent on a task of its own and go on meanwhile; agent_await gets its result.',
  exposure: 'deferred',
  findBy: ['agents', 'subagent|delegate'],
  input,
  level: 'delegated',
  children: (args) => [{ profile: args.agentId, readOnly: false }],
  targets: (args) => ({ what: args.task.title ?? args.task.objective }),
  async execute(args, context) {
    const { objective, title, context: facts, expectedOutput } = args.task;
    const child = await childrenOf(context).start({
      title: title ?? objective.slice(0, 80),
      profile: args.agentId,
      prompt: [
        objective,
        ...(facts === undefined ? [] : [`Context:\n${asText(facts)}`]),
        ...(expectedOutput === undefined ? [] : [`Expected output:\n${asText(expectedOutput)}`]),
        'When you are done, or cannot continue, return your result with task_return.',
      ].join('\n\n'),
      maxTurns: args.budget?.maxRounds ?? null,
      maxToolCalls: args.budget?.maxToolCalls ?? null,
      moreTools: ['task.return', 'send_message', 'receive_messages'],
    });
    const reduced = reductions(await childrenOf(context).kinds(), child.profile, args.budget ?? {});
    return {
      content: `Task ${child.id} is ${stateOf(child)}. Go on, or wait for it with agent_await.${reduced}`,
      data: childData(child),
    };
  },
});

/**
 * Lists the numbers of a budget that exceed the agent's own limits, which then apply. Empty for
 * none.
 */
function reductions(agents: readonly AgentKind[], profile: string, budget: Budget): string {
  const limits = agents.find(({ id }) => id === profile);
  if (limits === undefined) return '';
  const { maxRounds = 0, maxToolCalls = 0 } = budget;
  const over = [
    ...(maxRounds > limits.maxTurns ? [`maxRounds ${maxRounds} to ${limits.maxTurns}`] : []),
    ...(limits.maxCalls !== null && maxToolCalls > limits.maxCalls
      ? [`maxToolCalls ${maxToolCalls} to ${limits.maxCalls}`]
      : []),
  ];
  return over.length === 0 ? '' : ` Reduced to the limits of ${profile}: ${over.join(', ')}.`;
}

function asText(value: z.output<ReturnType<typeof z.json>>): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
