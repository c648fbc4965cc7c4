import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { flag } from '../input/flag.ts';
import { integer } from '../input/integer.ts';
import { list, stringList } from '../input/list.ts';
import { unlessNull } from '../input/unless-null.ts';
import type { ChildResult } from '../services/children.ts';
import { toJson } from '../text/to-json.ts';
import { defineTool } from '../tool.ts';
import { changedPaths, childText } from './child-text.ts';
import { checkTasks, doTasks } from './plan-tasks.ts';
import { withoutHeads } from './without-heads.ts';

const Task = z.object({
  id: unlessNull(z.string().min(1)),
  task: z.string().min(1),
  agent_type: unlessNull(z.string().min(1)),
  depends_on: unlessNull(stringList()),
  read_only: unlessNull(flag()),
});

const standardAgent = 'craft';

const input = z.object({
  tasks: list(z.array(Task).min(1).max(20)).describe('id, task, agent_type, depends_on (ids), read_only'),
  max_parallel: integer(z.int().positive().max(8)).default(3),
});

/** The result of one task's agent, or the reason it never started. */
type Done =
  | { readonly id: string; readonly result: ChildResult }
  | { readonly id: string; readonly error: string };

/** Has several isolated children do tasks. Each gets the results of the tasks it depends on. */
export const taskCoordinator = defineTool({
  name: 'task_coordinator',
  description:
    'Have agents of their own do several tasks, side by side where none waits for another, and wait for all results.',
  exposure: 'deferred',
  input,
  level: 'delegated',
  readOnly: false,
  children: ({ tasks }) =>
    tasks.map(({ agent_type, read_only }) => ({
      profile: agent_type ?? standardAgent,
      readOnly: read_only ?? false,
    })),
  targets: (args) => ({
    what: `${args.tasks.length} tasks: ${args.tasks.map(({ task }) => task).join('; ')}`,
  }),
  async execute(args, context) {
    const tasks = args.tasks.map((given, index) => ({
      ...given,
      id: given.id ?? String(index + 1),
      dependsOn: given.depends_on ?? [],
    }));
    checkTasks(tasks);
    const work = async (task: (typeof tasks)[number], before: readonly Done[]): Promise<Done> => {
      const known = before.map(
        (done) => `== ${done.id} ==\n${'result' in done ? withoutHeads(childText(done.result)) : ''}`,
      );
      try {
        const result = await context.runChild({
          title: `${task.id}: ${task.task.slice(0, 80)}`,
          profile: task.agent_type ?? standardAgent,
          prompt: [
            task.task,
            ...(known.length === 0 ? [] : ['What came of the tasks before:', ...known]),
          ].join('\n\n'),
          maxTurns: null,
          timeoutMs: null,
          readOnly: task.read_only ?? false,
        });
        return { id: task.id, result };
      } catch (error) {
        // An agent that cannot be started must not lose the others' results. Other limits of the
        // run end all.
        if (error instanceof ToolError) return { id: task.id, error: error.message };
        throw error;
      }
    };
    const ended = await doTasks(
      tasks,
      args.max_parallel,
      work,
      (done) => 'result' in done && done.result.conclusion === 'success',
    );
    const reports = ended.map((done, index) => report(tasks[index]?.id ?? '', done));
    return {
      content: reports.map(({ id, status, text }) => `== ${id}: ${status} ==\n${text}`).join('\n\n'),
      data: toJson({ tasks: reports.map(({ text: _, ...rest }) => rest) }),
    };
  },
});

function report(id: string, done: Done | null) {
  if (done === null) return { id, status: 'skipped', text: 'What it depends on did not end well.' };
  if ('error' in done) return { id, status: 'failed', text: done.error };
  const { result } = done;
  return {
    id,
    status: result.conclusion === 'success' ? 'completed' : 'failed',
    text: withoutHeads(childText(result)),
    agent_id: result.childRunId,
    conclusion: result.conclusion,
    summary: result.answer,
    changed: changedPaths(result),
  };
}
