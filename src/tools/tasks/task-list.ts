import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import { integer, statusWord, stringList, unlessNull } from '../input/lenient.ts';
import type { TaskHome } from '../services/run-services.ts';
import { defineTool, type ToolOutput, toJson } from '../tool.ts';
import {
  addTask,
  checkLinks,
  linkedTo,
  readTasks,
  removeTask,
  saveTask,
  type Task,
  TaskStatus,
  taskDetails,
  taskLine,
} from './task-store.ts';

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

const isReadOnly = ({ action }: z.output<typeof input>): boolean => action === 'list' || action === 'get';

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
    'Tasks of this repository that later runs see too, with dependencies and parents. In update, omitted fields stay and a blank clears.',
  exposure: 'deferred',
  findBy: ['tasks'],
  input,
  level: (args) => (isReadOnly(args) ? 'auto_read' : 'state_write'),
  readOnly: isReadOnly,
  targets: (args) => ({ what: `${args.action} ${args.taskID ?? args.title ?? ''}`.trim() }),
  execute: (args, context) => actions[args.action](context.tasks, args),
});

/** Fields of a call. Missing means unchanged; a blank text or an empty list clears. */
export interface TaskFields {
  readonly taskID?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly repoURL?: string | undefined;
  readonly status?: TaskStatus | undefined;
  readonly dependsOn?: readonly string[] | undefined;
  readonly parentID?: string | undefined;
  readonly limit?: number | undefined;
}

/** Adds a task. Throws `ToolError` without a title, or for broken or cyclic links. */
export async function createTask(home: TaskHome, fields: TaskFields): Promise<ToolOutput> {
  const title = fields.title?.trim() ?? '';
  if (title === '') throw invalidInput('A new task needs a title.');
  const tasks = await readTasks(home);
  const at = home.now().toISOString();
  const wanted = fields.taskID === '' ? undefined : fields.taskID;
  const made: Omit<Task, 'id'> = {
    title,
    description: textOr(fields.description, null),
    repoURL: textOr(fields.repoURL, home.repositoryUrl),
    status: fields.status ?? 'open',
    dependsOn: [...new Set(fields.dependsOn ?? [])],
    parentID: textOr(fields.parentID, null),
    createdAt: at,
    updatedAt: at,
  };
  checkLinks({ ...made, id: wanted ?? '' }, tasks);
  const task = await addTask(home, wanted, made, tasks.length);
  return taskOutput('Created', task, [...tasks, task]);
}

/** Lists the tasks that match the given fields. Default: those of this repository. */
export async function listTasks(home: TaskHome, fields: TaskFields): Promise<ToolOutput> {
  const all = await readTasks(home);
  const fitting = all.filter(
    (task) =>
      isOf(task, fields.repoURL, home) &&
      (fields.status === undefined || task.status === fields.status) &&
      (fields.parentID === undefined || (task.parentID ?? '') === fields.parentID),
  );
  const limit = fields.limit ?? 0;
  const some = limit === 0 ? fitting : fitting.slice(0, limit);
  const lines = some.map((task) => taskLine(task, all));
  if (some.length < fitting.length)
    lines.push(`[${some.length} of ${fitting.length} tasks; limit 0 shows all]`);
  return {
    content: lines.length === 0 ? 'There are no such tasks.' : lines.join('\n'),
    data: toJson({ tasks: some, total: fitting.length }),
  };
}

/** Displays one task. */
export async function getTask(home: TaskHome, fields: TaskFields): Promise<ToolOutput> {
  const tasks = await readTasks(home);
  const task = find(tasks, fields);
  return { content: taskDetails(task, tasks), data: toJson({ task }) };
}

/** Changes the given fields of a task. Throws `ToolError` as `createTask`. */
export async function updateTask(home: TaskHome, fields: TaskFields): Promise<ToolOutput> {
  const tasks = await readTasks(home);
  const task = find(tasks, fields);
  if (fields.title !== undefined && fields.title.trim() === '') {
    throw invalidInput('A title cannot be blank. Leave it out to keep it.');
  }
  const { title, status, description, repoURL, parentID, dependsOn } = fields;
  const changed: Task = {
    ...task,
    title: title?.trim() ?? task.title,
    status: status ?? task.status,
    description: textOr(description, task.description),
    repoURL: textOr(repoURL, task.repoURL),
    parentID: textOr(parentID, task.parentID),
    dependsOn: [...new Set(dependsOn ?? task.dependsOn)],
    updatedAt: home.now().toISOString(),
  };
  if (parentID !== undefined || dependsOn !== undefined) checkLinks(changed, tasks);
  await saveTask(home, changed);
  return taskOutput('Updated', changed, tasks);
}

/** Deletes a task. Throws `ToolError('in_use')` while others depend on it or are its children. */
export async function deleteTask(home: TaskHome, fields: TaskFields): Promise<ToolOutput> {
  const tasks = await readTasks(home);
  const task = find(tasks, fields);
  const linked = linkedTo(task.id, tasks);
  if (linked.length > 0) {
    throw new ToolError(
      'in_use',
      `${task.id} was not deleted: ${linked.join(', ')} depend on it or have it as parent. Change their dependsOn or parentID first, or delete them.`,
    );
  }
  await removeTask(home, task.id);
  return { content: `Deleted ${task.id}: ${task.title}`, data: toJson({ deleted: task.id }) };
}

function find(tasks: readonly Task[], { taskID }: TaskFields): Task {
  if (taskID === undefined || taskID === '') {
    throw invalidInput('taskID is missing: it says which task. Use list to see the ids.');
  }
  const found = tasks.find(({ id }) => id === taskID);
  if (found !== undefined) return found;
  throw new ToolError('not_found', `There is no task ${taskID}. Use list to see the ids.`);
}

function taskOutput(verb: string, task: Task, tasks: readonly Task[]): ToolOutput {
  const all = tasks.map((one) => (one.id === task.id ? task : one));
  return { content: `${verb} ${taskLine(task, all)}`, data: toJson({ task }) };
}

/** Trims a text; null if blank, `missing` if undefined. */
function textOr(text: string | undefined, missing: string | null): string | null {
  return text === undefined ? missing : text.trim() || null;
}

/** True if a task belongs to a repository. Default: this one and none; blank means all. */
function isOf(task: Task, wanted: string | undefined, home: TaskHome): boolean {
  if (wanted === undefined) return task.repoURL === null || same(task.repoURL, home.repositoryUrl);
  return wanted.trim() === '' || (task.repoURL !== null && same(task.repoURL, wanted));
}

/** Compares repository URLs, ignoring differences in spelling. */
function same(a: string, b: string): boolean {
  const plain = (url: string) =>
    url
      .trim()
      .toLowerCase()
      .replace(/\/+$/, '')
      .replace(/\.git$/, '');
  return plain(a) === plain(b);
}
