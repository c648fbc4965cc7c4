import * as z from 'zod';
import { renderTodos } from '../text/render-todos.ts';
import { defineTool, toJson } from '../tool.ts';

/** Displays the agent's own list. */
export const todoRead = defineTool({
  name: 'todo_read',
  aliases: { TodoRead: {} },
  description: 'Read your task list.',
  exposure: 'deferred',
  input: z.object({}),
  level: 'auto_read',
  targets: () => ({ what: 'the task list' }),
  async execute(_args, context) {
    const todos = context.state.todos;
    return { content: renderTodos(todos), data: toJson({ todos }) };
  },
});
