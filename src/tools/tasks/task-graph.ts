import { ToolError } from '../../contract/errors.ts';
import type { Task } from './task-record.ts';

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
  const way = wayBack(task.id, [...others, task]);
  if (way === null) return;
  throw new ToolError(
    'cycle',
    `That would make a circle in which each task waits for the next: ${way.join(' → ')}. A task waits for those in dependsOn and for its children. Leave one of these links out.`,
  );
}

/** Returns the shortest path from a task back to itself along its waits; null without one. */
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

/** Returns the ids of the tasks that depend on a task or are its children. */
export function linkedTo(id: string, tasks: readonly Task[]): string[] {
  return tasks.filter((task) => task.dependsOn.includes(id) || task.parentID === id).map((task) => task.id);
}
