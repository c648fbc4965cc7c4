import * as z from 'zod';
import type { Todo } from '../../contract/run-results.ts';
import { list, statusWord } from '../input/lenient.ts';
import { renderTodos } from '../text/render-todos.ts';
import { defineTool, toJson } from '../tool.ts';

const statuses = ['pending', 'in_progress', 'completed'] as const;

const item = z.preprocess(
  acceptAliases,
  z.object({
    id: z.coerce.string().optional().meta({ hidden: true }),
    content: z.string().min(1),
    status: z.enum(statuses).default('pending'),
    active_form: z.string().optional().meta({ hidden: true }),
  }),
);

const input = z.object({ todos: list(z.array(item)) });

/** Replaces the agent's own list, which people see as a checklist during the run. */
export const todoWrite = defineTool({
  name: 'todo_write',
  aliases: { TodoWrite: {}, update_plan: {} },
  argumentAliases: { plan: 'todos' },
  description: 'Replace your task list, which people see as progress.',
  input,
  level: 'state_write',
  ownState: true,
  targets: (args) => ({ what: `${args.todos.length} tasks` }),
  async execute(args, context) {
    const todos = withIds(args.todos);
    context.state.todos = todos;
    context.record({ type: 'todos', todos });
    return { content: renderTodos(todos), data: toJson({ todos }) };
  },
});

/** Maps other names of fields. Models fill unused fields with null. */
function acceptAliases(value: unknown): unknown {
  if (typeof value === 'string') return { content: value };
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, one]) => one !== null);
  const { activeForm, step, ...rest }: Record<string, unknown> = Object.fromEntries(given);
  return {
    content: step,
    active_form: activeForm,
    ...rest,
    status: statusWord(rest.status, 'pending'),
  };
}

/** Assigns the lowest free numbers to missing and duplicate ids. */
function withIds(items: z.output<typeof input>['todos']): Todo[] {
  const wanted = new Set(items.map((todo) => todo.id).filter((id) => id !== undefined && id !== ''));
  const used = new Set<string>();
  let next = 1;
  const free = (): string => {
    while (wanted.has(String(next)) || used.has(String(next))) next += 1;
    return String(next);
  };
  return items.map((todo) => {
    const id = todo.id && !used.has(todo.id) ? todo.id : free();
    used.add(id);
    const { active_form, content, status } = todo;
    return { id, content, status, active_form };
  });
}
