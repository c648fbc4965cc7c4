import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { TaskHome } from '../services/run-services.ts';

/** Maximum tasks of one repository. */
const mostTasks = 500;

/** Reads every task of the repository, oldest first. Invalid entries are skipped. */
export async function readTasks(home: TaskHome): Promise<Task[]> {
  const keys = await home.store.list(stateKeys.task(''));
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
    if (await home.store.claim(stateKeys.task(made.id), JSON.stringify(made))) return made;
    if (wanted === undefined) continue;
    throw new ToolError('exists', `There is a task ${wanted} already. Use update, or leave taskID out.`);
  }
}

/** Overwrites an existing task; the last write wins. */
export function saveTask(home: TaskHome, task: Task): Promise<void> {
  return home.store.set(stateKeys.task(task.id), JSON.stringify(task));
}

export function removeTask(home: TaskHome, id: string): Promise<void> {
  return home.store.delete(stateKeys.task(id));
}

const byText = (a: string, b: string): number => Number(a > b) - Number(a < b);

export const TaskStatus = z.enum(['open', 'in_progress', 'completed']);
export type TaskStatus = z.infer<typeof TaskStatus>;

/** One stored task of a repository. */
export const Task = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  /** Null if cleared: the task belongs to no repository. */
  repoURL: z.string().nullable(),
  status: TaskStatus,
  /** Tasks that must be completed first. */
  dependsOn: z.array(z.string()),
  parentID: z.string().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Task = z.infer<typeof Task>;

/**
 * Refuses links of a new or changed task that lead nowhere or form a cycle. A task waits for its
 * dependencies and its children, so a child may not depend on its parent. `tasks` are all existing
 * tasks. Throws `ToolError`: `not_found`, `cycle`.
 */
export function checkLinks(task: Pick<Task, 'id' | 'dependsOn' | 'parentID'>, tasks: readonly Task[]): void {
  const links = [...task.dependsOn, ...(task.parentID === null ? [] : [task.parentID])];
  if (links.includes(task.id)) {
    throw new ToolError('cycle', `${task.id} can neither depend on itself nor be its own parent.`);
  }
  const others = tasks.filter(({ id }) => id !== task.id);
  const missing = links.filter((id) => !others.some((other) => other.id === id));
  if (missing.length > 0) {
    throw new ToolError('not_found', `There is no task ${missing.join(', ')}. Use list to see the ids.`);
  }
  const cycle = findCycle(task.id, [...others, task]);
  if (cycle === null) return;
  throw new ToolError(
    'cycle',
    `That would make a circle in which each task waits for the next: ${cycle.join(' → ')}. A task waits for those in dependsOn and for its children. Leave one of these links out.`,
  );
}

/** Returns the shortest path from a task back to itself along its waits; null without one. */
function findCycle(
  from: string,
  tasks: readonly Pick<Task, 'id' | 'dependsOn' | 'parentID'>[],
): string[] | null {
  const waitsFor = new Map(tasks.map(({ id, dependsOn }) => [id, [...dependsOn]]));
  for (const { id, parentID } of tasks) if (parentID !== null) waitsFor.get(parentID)?.push(id);
  const seen = new Set<string>();
  const paths = [[from]];
  for (const path of paths) {
    for (const next of waitsFor.get(path.at(-1) ?? '') ?? []) {
      if (next === from) return [...path, next];
      if (!seen.has(next)) paths.push([...path, next]);
      seen.add(next);
    }
  }
  return null;
}

/** Returns the ids of the tasks that depend on a task or are its children. */
export function linkedTo(id: string, tasks: readonly Task[]): string[] {
  return tasks.filter((task) => task.dependsOn.includes(id) || task.parentID === id).map((task) => task.id);
}

const marks = { open: '[ ]', in_progress: '[~]', completed: '[x]' } as const;

/** Renders one line: `[ ] task_1f2e3d4c: Write the guide (child of task_…; waits for task_…)`. */
export function taskLine(task: Task, all: readonly Task[]): string {
  const notes = [...(task.parentID === null ? [] : [`child of ${task.parentID}`]), ...waits(task, all)];
  return `${marks[task.status]} ${task.id}: ${task.title}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

/** Renders all fields of a task, one per line. */
export function taskDetails(task: Task, all: readonly Task[]): string {
  const children = all.filter(({ parentID }) => parentID === task.id).map(({ id }) => id);
  const fields: readonly (readonly [string, string])[] = [
    ['repository', task.repoURL ?? ''],
    ['depends on', task.dependsOn.join(', ')],
    ['children', children.join(', ')],
    ['description', task.description ?? ''],
  ];
  const shown = fields.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`);
  return [taskLine(task, all), ...shown].join('\n');
}

/** Returns the dependencies that are not completed. */
function waits(task: Task, all: readonly Task[]): string[] {
  if (task.status === 'completed') return [];
  const open = task.dependsOn.filter((id) =>
    all.some((other) => other.id === id && other.status !== 'completed'),
  );
  return open.length === 0 ? [] : [`waits for ${open.join(', ')}`];
}
