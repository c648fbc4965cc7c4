import { ToolError } from '../../contract/errors.ts';
import type { Task } from './task-record.ts';

/**
 * Refuses links of a task, new or changed, that lead nowhere or back to it. A task waits for those it depends on and,
 * as a parent, for its children: a child that depended on a parent could never be done. `tasks` are all as they stand;
 * the task itself is taken as given. Throws `ToolError`: `not_found`, `cycle`.
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
  const way = wayBack(task.id, [...others, task]);
  if (way === null) return;
  throw new ToolError(
    'cycle',
    `That would make a circle in which each task waits for the next: ${way.join(' → ')}. A task waits for those in dependsOn and for its children. Leave one of these links out.`,
  );
}

/** The shortest way from a task back to itself, along what each waits for; null where there is none. */
function wayBack(
  from: string,
  tasks: readonly Pick<Task, 'id' | 'dependsOn' | 'parentID'>[],
): string[] | null {
  const waitsFor = new Map(tasks.map(({ id, dependsOn }) => [id, [...dependsOn]]));
  for (const { id, parentID } of tasks) if (parentID !== null) waitsFor.get(parentID)?.push(id);
  const seen = new Set<string>();
  let ways = [[from]];
  while (ways.length > 0) {
    const longer: string[][] = [];
    for (const way of ways) {
      for (const next of waitsFor.get(way.at(-1) ?? '') ?? []) {
        if (next === from) return [...way, next];
        if (seen.has(next)) continue;
        seen.add(next);
        longer.push([...way, next]);
      }
    }
    ways = longer;
  }
  return null;
}

/** Ids of the tasks that depend on a task or are its children. */
export function linkedTo(id: string, tasks: readonly Task[]): string[] {
  return tasks.filter((task) => task.dependsOn.includes(id) || task.parentID === id).map((task) => task.id);
}
