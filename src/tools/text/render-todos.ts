import type { Todo } from '../../contract/run-results.ts';

const marks = { pending: '[ ]', in_progress: '[~]', completed: '[x]' } as const;

/** Renders the task list, one item per line with its id: `[x] 1: Fix the bug`. */
export function renderTodos(todos: readonly Todo[]): string {
  if (todos.length === 0) return 'The task list is empty.';
  return todos.map((todo) => `${marks[todo.status]} ${todo.id}: ${todo.content}`).join('\n');
}
