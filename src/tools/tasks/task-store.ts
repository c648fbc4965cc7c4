import { randomBytes } from 'node:crypto';
import { ToolError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import type { TaskHome } from '../services/task-home.ts';
import { Task } from './task-record.ts';

/** Maximum tasks of one repository. */
const mostTasks = 500;

const prefix = 'tasks/';

/** Reads every task of the repository, oldest first. Invalid entries are skipped. */
export async function readTasks(home: TaskHome): Promise<Task[]> {
  const keys = await home.store.list(prefix);
  const values = await Promise.all(keys.map((key) => home.store.get(key)));
  const tasks = values.flatMap((value) => {
    const task = Task.safeParse(parseJson(value ?? 'null'));
    return task.success ? [task.data] : [];
  });
  return tasks.sort((a, b) =>
    a.createdAt === b.createdAt ? byText(a.id, b.id) : byText(a.createdAt, b.createdAt),
  );
}

/**
 * Stores a new task under `wanted`, else under a new id. Throws `ToolError`: `exists` for a used
 * id, `quota` for more than 500 tasks.
 */
export async function addTask(
  home: TaskHome,
  wanted: string | undefined,
  task: Omit<Task, 'id'>,
  count: number,
): Promise<Task> {
  if (count >= mostTasks) {
    throw new ToolError('quota', `There are ${count} tasks already. Delete those that are completed first.`);
  }
  for (;;) {
    const made = { ...task, id: wanted ?? `task_${randomBytes(4).toString('hex')}` };
    if (await home.store.claim(prefix + made.id, JSON.stringify(made))) return made;
    if (wanted === undefined) continue;
    throw new ToolError('exists', `There is a task ${wanted} already. Use update, or leave taskID out.`);
  }
}

/** Overwrites an existing task; the last write wins. */
export function saveTask(home: TaskHome, task: Task): Promise<void> {
  return home.store.set(prefix + task.id, JSON.stringify(task));
}

export function removeTask(home: TaskHome, id: string): Promise<void> {
  return home.store.delete(prefix + id);
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
