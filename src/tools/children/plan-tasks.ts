import { ToolError } from '../../contract/errors.ts';

/** A task by its id, and the tasks that must end before it. */
export interface PlannedTask {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

/** Throws `ToolError('invalid_input')` for a duplicate id, an unknown id, or a cycle. */
export function checkTasks(tasks: readonly PlannedTask[]): void {
  const ids = tasks.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw invalid(`Two tasks have the id ${twice}. Give each its own.`);
  for (const { id, dependsOn } of tasks) {
    const missing = dependsOn.find((other) => !ids.includes(other));
    if (missing !== undefined)
      throw invalid(
        `${id} depends on ${missing}, which is no task of this call. There are: ${ids.join(', ')}.`,
      );
  }
  const done = new Set<string>();
  for (let before = -1; before !== done.size; ) {
    before = done.size;
    for (const { id, dependsOn } of tasks) if (dependsOn.every((other) => done.has(other))) done.add(id);
  }
  const stuck = ids.filter((id) => !done.has(id));
  if (stuck.length > 0) throw invalid(`These tasks wait for each other in a circle: ${stuck.join(', ')}.`);
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
  const inPlace = async (begin: () => Promise<Result>): Promise<Result> => {
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
      return good.length < before.length ? null : inPlace(() => work(task, good));
    })();
    results.set(id, result);
    return result;
  };
  const all = tasks.map(({ id }) => resultOf(id));
  // Running tasks end before an error reaches the caller.
  await Promise.allSettled(all);
  return Promise.all(all);
}

const invalid = (words: string) => new ToolError('invalid_input', words);
