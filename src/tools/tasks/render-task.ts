import type { Task } from './task-record.ts';

const marks = { open: '[ ]', in_progress: '[~]', completed: '[x]' } as const;

/** One line: `[ ] task_1f2e3d4c: Write the guide (child of task_…; waits for task_…)`. */
export function taskLine(task: Task, all: readonly Task[]): string {
  const notes = [...(task.parentID === null ? [] : [`child of ${task.parentID}`]), ...waits(task, all)];
  return `${marks[task.status]} ${task.id}: ${task.title}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

/** Everything about one task, a field a line. */
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

/** What of its dependencies is not completed yet. */
function waits(task: Task, all: readonly Task[]): string[] {
  if (task.status === 'completed') return [];
  const open = task.dependsOn.filter((id) =>
    all.some((other) => other.id === id && other.status !== 'completed'),
  );
  return open.length === 0 ? [] : [`waits for ${open.join(', ')}`];
}
