import type { Task } from './task-record.ts';

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
