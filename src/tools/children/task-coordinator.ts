import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import { flag, integer, list, stringList, unlessNull } from '../input/lenient.ts';
import type { ChildResult } from '../services/children.ts';
import { defineTool, toJson } from '../tool.ts';
import { changedPaths, childText, withoutHeads } from './render-children.ts';

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
    'Run several tasks in agents of their own, in parallel unless one depends on another, and wait for all results.',
  exposure: 'deferred',
  input,
  level: 'delegated',
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
      const results = before.map(
        (done) => `== ${done.id} ==\n${'result' in done ? withoutHeads(childText(done.result)) : ''}`,
      );
      try {
        const result = await context.runChild({
          title: `${task.id}: ${task.task.slice(0, 80)}`,
          profile: task.agent_type ?? standardAgent,
          prompt: [
            task.task,
            ...(results.length === 0 ? [] : ['What came of the tasks before:', ...results]),
          ].join('\n\n'),
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
  if (done === null) return { id, status: 'skipped', text: 'A task it depends on failed.' };
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

/** A task by its id, and the tasks that must end before it. */
interface PlannedTask {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

/** Throws `ToolError('invalid_input')` for a duplicate id, an unknown id, or a cycle. */
export function checkTasks(tasks: readonly PlannedTask[]): void {
  const ids = tasks.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw invalidInput(`Two tasks have the id ${twice}. Give each its own.`);
  for (const { id, dependsOn } of tasks) {
    const missing = dependsOn.find((other) => !ids.includes(other));
    if (missing !== undefined)
      throw invalidInput(
        `${id} depends on ${missing}, which is no task of this call. There are: ${ids.join(', ')}.`,
      );
  }
  const done = new Set<string>();
  for (let before = -1; before !== done.size; ) {
    before = done.size;
    for (const { id, dependsOn } of tasks) if (dependsOn.every((other) => done.has(other))) done.add(id);
  }
  const stuck = ids.filter((id) => !done.has(id));
  if (stuck.length > 0)
    throw invalidInput(`These tasks wait for each other in a circle: ${stuck.join(', ')}.`);
}

/**
 * Runs tasks as soon as their dependencies are done, at most `most` at once. `work` receives the
 * results of the dependencies. A task is skipped, and its result is null, if a dependency did not
 * end well (`ok`). Results are in the order of the tasks. An error of `work` stops further starts,
 * and is thrown once all running tasks have ended.
 */
export async function doTasks<Task extends PlannedTask, Result>(
  tasks: readonly Task[],
  most: number,
  work: (task: Task, before: readonly Result[]) => Promise<Result>,
  ok: (result: Result) => boolean,
): Promise<(Result | null)[]> {
  const results = new Map<string, Promise<Result | null>>();
  const waiting: (() => void)[] = [];
  let running = 0;
  let broken: { readonly cause: unknown } | null = null;
  const whenFree = async (begin: () => Promise<Result>): Promise<Result> => {
    while (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    if (broken !== null) {
      // A signalled task that starts nothing must signal the next one, as it has no end of its own.
      waiting.shift()?.();
      throw broken.cause;
    }
    running += 1;
    try {
      return await begin();
    } catch (cause) {
      broken ??= { cause };
      throw cause;
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
  const resultOf = (id: string): Promise<Result | null> => {
    const known = results.get(id);
    if (known !== undefined) return known;
    const task = tasks.find((one) => one.id === id);
    if (task === undefined) return Promise.resolve(null);
    const result = (async () => {
      const before = await Promise.all(task.dependsOn.map(resultOf));
      const good = before.filter((one) => one !== null && ok(one)) as Result[];
      return good.length < before.length ? null : whenFree(() => work(task, good));
    })();
    results.set(id, result);
    return result;
  };
  const all = tasks.map(({ id }) => resultOf(id));
  // Running tasks end before an error reaches the caller.
  await Promise.allSettled(all);
  return Promise.all(all);
}
