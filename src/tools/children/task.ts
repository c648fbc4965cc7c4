import * as z from 'zod';
import { flag, integer, stringList, unlessNull } from '../input/lenient.ts';
import { defineTool, toJson } from '../tool.ts';
import { changedPaths, childText } from './render-children.ts';

const mostSteps = 40;
const callsPerStep = 3;
const standardSeconds = 300;
const mostSeconds = 1800;

const input = z.object({
  title: unlessNull(z.string().min(1)).meta({ hidden: true }),
  goal: z.string().min(1).describe('all it has to know'),
  context: unlessNull(z.string()).meta({ hidden: true }),
  tools_allowed: unlessNull(stringList()).meta({ hidden: true }),
  max_steps: unlessNull(integer(z.int().positive())).meta({ hidden: true }),
  max_tool_calls: unlessNull(integer(z.int().positive())).meta({ hidden: true }),
  profile: unlessNull(z.string().min(1)).describe('craft, quick, study, find, review or oracle'),
  read_only: flag().default(false),
  timeout_seconds: unlessNull(integer(z.int().positive())).meta({ hidden: true }),
});

/** Names of such agents in other harnesses. */
const profileAliases: Readonly<Record<string, string>> = { 'general-purpose': 'craft', explore: 'find' };

const profileOf = (name = 'craft'): string => profileAliases[name.toLowerCase()] ?? name;

/** Has a child run do independent work in its own context, and waits for the result. */
export const task = defineTool({
  name: 'task',
  aliases: { agent: {}, dispatch_agent: {}, new_task: {} },
  argumentAliases: {
    description: 'title',
    prompt: 'goal',
    message: 'goal',
    subagent_type: 'profile',
    mode: 'profile',
  },
  description: 'Run independent work in an agent with its own context; returns its last text.',
  input,
  level: 'delegated',
  children: (args) => [{ profile: profileOf(args.profile), readOnly: args.read_only }],
  targets: (args) => ({ what: args.title ?? args.goal }),
  async execute(args, context) {
    const result = await context.runChild({
      title: args.title ?? args.goal.slice(0, 80),
      profile: profileOf(args.profile),
      prompt: args.context === undefined ? args.goal : `${args.goal}\n\nContext:\n${args.context}`,
      maxTurns: args.max_steps === undefined ? null : Math.min(args.max_steps, mostSteps),
      mayExtend: true,
      maxToolCalls: args.max_tool_calls ?? null,
      callsPerTurn: callsPerStep,
      timeoutMs: Math.min(args.timeout_seconds ?? standardSeconds, mostSeconds) * 1000,
      readOnly: args.read_only,
      // An empty list is a field that a model filled in.
      toolsAllowed: args.tools_allowed?.length === 0 ? undefined : args.tools_allowed,
    });
    const { childRunId: child_run_id, conclusion, turns, usage, answer: summary } = result;
    const findings = result.entries.findLast((entry) => entry.type === 'findings')?.findings;
    return {
      content: childText(result),
      data: toJson({
        child_run_id,
        conclusion,
        summary,
        turns,
        usage,
        changed: changedPaths(result),
        findings,
      }),
    };
  },
});
