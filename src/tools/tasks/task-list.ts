import * as z from 'zod';
import { integer } from '../input/integer.ts';
import { stringList } from '../input/list.ts';
import { statusWord } from '../input/status-word.ts';
import { unlessNull } from '../input/unless-null.ts';
import { defineTool } from '../tool.ts';
import { createTask, deleteTask, getTask, listTasks, updateTask } from './task-actions.ts';
import { TaskStatus } from './task-record.ts';

const actions = {
  create: createTask,
  list: listTasks,
  get: getTask,
  update: updateTask,
  delete: deleteTask,
} as const;

const id = z.string().regex(/^[\w.-]{0,64}$/, 'up to 64 letters, digits, dots, - and _');

const input = z.object({
  action: z.enum(['create', 'list', 'get', 'update', 'delete']),
  taskID: unlessNull(id).describe('for get, update, delete'),
  title: unlessNull(z.string().max(300)).describe('for create'),
  description: unlessNull(z.string().max(8000)),
  repoURL: unlessNull(z.string().max(500)).describe('default: this repository; for list blank means all'),
  status: unlessNull(z.preprocess((status) => statusWord(status, 'open'), TaskStatus.optional())),
  dependsOn: unlessNull(stringList(z.array(id.min(1)).max(100))).describe('ids of tasks that come first'),
  parentID: unlessNull(id),
  limit: unlessNull(integer(z.int().nonnegative())).describe('for list; 0 (default): all'),
});

const onlyShows = ({ action }: z.output<typeof input>): boolean => action === 'list' || action === 'get';

/** Manages tasks that outlast the run, with their dependencies. */
export const taskList = defineTool({
  name: 'task_list',
  argumentAliases: {
    task_id: 'taskID',
    id: 'taskID',
    repo_url: 'repoURL',
    depends_on: 'dependsOn',
    parent_id: 'parentID',
  },
  description:
    'Tasks of this repository that later runs see too, with dependencies and parents. In update, what is left out stays and a blank clears.',
  exposure: 'deferred',
  input,
  level: (args) => (onlyShows(args) ? 'auto_read' : 'state_write'),
  readOnly: onlyShows,
  targets: (args) => ({ what: `${args.action} ${args.taskID ?? args.title ?? ''}`.trim() }),
  execute: (args, context) => actions[args.action](context.tasks, args),
});
