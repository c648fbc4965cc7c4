import { describe, expect, test } from 'vitest';
import type { ToolError } from '../../../src/contract/errors.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import type { TaskHome } from '../../../src/tools/services/run-services.ts';
import {
  createTask,
  deleteTask,
  getTask,
  listTasks,
  type TaskFields,
  updateTask,
} from '../../../src/tools/tasks/task-list.ts';
import type { Task } from '../../../src/tools/tasks/task-store.ts';

const url = 'https://github.com/acme/shop';

/** A list with tasks of these ids, created one minute apart, and the result of each action. */
async function opened(tasks: Readonly<Record<string, Partial<Task>>> = {}) {
  const store = createMemoryStateStore();
  let minute = 0;
  const home: TaskHome = {
    store,
    repositoryUrl: url,
    now: () => new Date(minute++ * 60_000),
  };
  for (const [id, more] of Object.entries(tasks)) {
    const createdAt = home.now().toISOString();
    const task = { ...plain(id), createdAt, updatedAt: createdAt, ...more };
    await store.set(`tasks/${id}`, JSON.stringify(task));
  }
  const say =
    (action: (home: TaskHome, fields: TaskFields) => Promise<{ content: unknown }>) => (fields: TaskFields) =>
      action(home, fields).then(
        ({ content }) => content,
        (error: ToolError) => `${error.kind}: ${error.message}`,
      );
  return {
    home,
    create: say(createTask),
    list: say(listTasks),
    get: say(getTask),
    update: say(updateTask),
    remove: say(deleteTask),
    kept: async (id: string) => JSON.parse((await store.get(`tasks/${id}`)) ?? 'null') as Task | null,
  };
}
const plain = (id: string): Task => ({
  id,
  title: id.toUpperCase(),
  description: null,
  repoURL: url,
  status: 'open',
  dependsOn: [],
  parentID: null,
  createdAt: '1970-01-01T00:00:00.000Z',
  updatedAt: '1970-01-01T00:00:00.000Z',
});

describe('a new task', () => {
  test('has the given fields and defaults for the rest', async () => {
    const { home, kept } = await opened({ a: {}, p: {} });
    const given = await createTask(home, {
      taskID: 'b',
      title: ' B ',
      description: ' long ',
      repoURL: ' https://x/y ',
      status: 'in_progress',
      dependsOn: ['a', 'a'],
      parentID: ' p ',
    });
    const at = '1970-01-01T00:02:00.000Z';
    const task = {
      ...plain('b'),
      ...{ description: 'long', repoURL: 'https://x/y', status: 'in_progress', dependsOn: ['a'] },
      ...{ parentID: 'p', createdAt: at, updatedAt: at },
    };
    expect(given).toEqual({ content: 'Created [~] b: B (child of p; waits for a)', data: { task } });
    expect(await kept('b')).toEqual(task);
    expect(await createTask(home, { taskID: 'e', title: 'E' })).toMatchObject({
      data: { task: { repoURL: url } },
    });
    await createTask(home, { taskID: 'c', title: 'C', description: ' ', repoURL: ' ', parentID: '' });
    expect(await kept('c')).toEqual({
      ...plain('c'),
      repoURL: null,
      createdAt: '1970-01-01T00:04:00.000Z',
      updatedAt: '1970-01-01T00:04:00.000Z',
    });
  });

  test('is refused without a title, with a used id, or with unknown or circular links', async () => {
    const { create } = await opened({ a: {}, b: { dependsOn: ['a'] } });
    expect([
      await create({}),
      await create({ title: '  ' }),
      await create({ title: 'x', taskID: 'a' }),
      await create({ title: 'x', dependsOn: ['a', 'q', 'r'] }),
      await create({ title: 'x', parentID: 'q' }),
      await create({ title: 'x', taskID: 'n', dependsOn: ['n'] }),
      await create({ title: 'x', taskID: 'n', parentID: 'n' }),
      await create({ title: 'x', taskID: 'n', parentID: 'a', dependsOn: ['b'] }),
    ]).toEqual([
      'invalid_input: A new task needs a title.',
      'invalid_input: A new task needs a title.',
      'exists: There is a task a already. Use update, or leave taskID out.',
      'not_found: There is no task q, r. Use list to see the ids.',
      'not_found: There is no task q. Use list to see the ids.',
      'cycle: n can neither depend on itself nor be its own parent.',
      'cycle: n can neither depend on itself nor be its own parent.',
      'cycle: That would make a circle in which each task waits for the next: n → b → a → n. A task waits for those in dependsOn and for its children. Leave one of these links out.',
    ]);
  });

  test('gets an unused id if it has none', async () => {
    const { home, create } = await opened();
    const claimed: string[] = [];
    const { claim } = home.store;
    home.store.claim = async (key, value) => (claimed.push(key) === 1 ? false : claim(key, value));
    expect(await create({ taskID: '', title: 'x' })).toMatch(/^Created \[ \] task_[0-9a-f]{8}: x$/);
    expect([claimed.length, new Set(claimed).size]).toEqual([2, 2]);
  });

  test('is accepted as number 500, but not as number 501', async () => {
    const { create, home } = await opened();
    for (let index = 0; index < 499; index += 1)
      await home.store.set(`tasks/t${index}`, JSON.stringify(plain(`t${index}`)));
    expect([await create({ taskID: 'a', title: 'A' }), await create({ taskID: 'b', title: 'B' })]).toEqual([
      'Created [ ] a: A',
      'quota: There are 500 tasks already. Delete those that are completed first.',
    ]);
  });
});

describe('the list', () => {
  const tasks = {
    b: { createdAt: '1970-01-01T00:09:00.000Z', dependsOn: ['a', 'c', 'gone'], parentID: 'c' },
    d: { repoURL: 'https://GitHub.com/acme/shop.git/', status: 'completed', dependsOn: ['a'] },
    c: { repoURL: null, status: 'in_progress' },
    a: { createdAt: '1970-01-01T00:02:00.000Z' },
    e: { repoURL: 'https://github.com/acme/other', dependsOn: ['d'] },
  } satisfies Record<string, Partial<Task>>;
  const lines = {
    a: '[ ] a: A',
    b: '[ ] b: B (child of c; waits for a, c)',
    c: '[~] c: C',
    d: '[x] d: D',
    e: '[ ] e: E',
  };
  test.each([
    [{}, ['d', 'a', 'c', 'b']],
    [{ repoURL: ' ' }, ['d', 'a', 'c', 'e', 'b']],
    [{ repoURL: ' https://github.com/ACME/other.git' }, ['e']],
    [{ repoURL: 'https://github.com/acme/other//' }, ['e']],
    [{ repoURL: 'https://github.com/acme/.gitother' }, []],
    [{ status: 'open' }, ['a', 'b']],
    [{ parentID: 'c' }, ['b']],
    [{ parentID: '' }, ['d', 'a', 'c']],
    [{ limit: 0 }, ['d', 'a', 'c', 'b']],
    [{ limit: 4 }, ['d', 'a', 'c', 'b']],
  ] as const)('%j', async (fields, ids) => {
    const { home } = await opened(tasks);
    const { content, data } = await listTasks(home, fields);
    expect(content).toBe(ids.map((id) => lines[id]).join('\n') || 'There are no such tasks.');
    expect(data).toMatchObject({ tasks: ids.map((id) => ({ id })), total: ids.length });
  });

  test('reports the number of omitted tasks and an empty list', async () => {
    const { home, list } = await opened(tasks);
    expect(await listTasks(home, { limit: 1 })).toMatchObject({
      content: `${lines.d}\n[1 of 4 tasks; limit 0 shows all]`,
      data: { tasks: [{ id: 'd' }], total: 4 },
    });
    expect([await list({ parentID: 'a' }), await list({ repoURL: 'https://x' })]).toEqual([
      'There are no such tasks.',
      'There are no such tasks.',
    ]);
  });

  test('skips invalid tasks and sorts those of one time by id', async () => {
    const { home, list } = await opened();
    for (const id of ['z', 'y', 'x']) await home.store.set(`tasks/${id}`, JSON.stringify(plain(id)));
    await home.store.set('tasks/w', '{"id":"w"}');
    await home.store.set('tasks/v', 'no JSON');
    await home.store.set('task/u', JSON.stringify(plain('u')));
    expect(await list({})).toBe('[ ] x: X\n[ ] y: Y\n[ ] z: Z');
  });
});

test('one task is displayed with all its fields', async () => {
  const { home, get } = await opened({
    a: { description: 'Long.', dependsOn: ['d'], repoURL: null },
    b: { parentID: 'a' },
    c: { parentID: 'a' },
    d: { status: 'completed' },
  });
  expect(await getTask(home, { taskID: 'a' })).toMatchObject({
    content: '[ ] a: A\ndepends on: d\nchildren: b, c\ndescription: Long.',
    data: { task: { id: 'a', description: 'Long.' } },
  });
  expect([
    await get({ taskID: 'd' }),
    await get({}),
    await get({ taskID: '' }),
    await get({ taskID: 'q' }),
  ]).toEqual([
    `[x] d: D\nrepository: ${url}`,
    'invalid_input: taskID is missing: it says which task. Use list to see the ids.',
    'invalid_input: taskID is missing: it says which task. Use list to see the ids.',
    'not_found: There is no task q. Use list to see the ids.',
  ]);
});

describe('a change', () => {
  const before = {
    ...plain('b'),
    description: 'd',
    dependsOn: ['a'],
    parentID: 'p',
    createdAt: '1970-01-01T00:02:00.000Z',
  };
  test.each([
    [{}, {}],
    [{ title: ' New ' }, { title: 'New' }],
    [{ status: 'completed' }, { status: 'completed' }],
    [{ description: ' e ' }, { description: 'e' }],
    [{ description: '' }, { description: null }],
    [{ repoURL: 'https://x' }, { repoURL: 'https://x' }],
    [{ repoURL: '' }, { repoURL: null }],
    [{ parentID: 'a' }, { parentID: 'a' }],
    [{ parentID: ' ' }, { parentID: null }],
    [{ dependsOn: [] }, { dependsOn: [] }],
    [{ dependsOn: ['p', 'p'] }, { dependsOn: ['p'] }],
  ] as const)('%j leaves the rest unchanged', async (fields, changed) => {
    // Its dependencies and its parent differ in each row, so no cycle arises.
    const { dependsOn, parentID } = { ...before, ...fields };
    const other = {
      dependsOn: parentID === 'a' ? [] : before.dependsOn,
      parentID: dependsOn[0] === 'p' ? null : 'p',
    };
    const { update, kept } = await opened({ a: {}, p: {}, b: { ...before, ...other } });
    const was = await kept('b');
    expect(await update({ taskID: 'b', ...fields })).toMatch(/^Updated \[[ x]\] b: /);
    const now = await kept('b');
    expect(now).toEqual({ ...was, ...changed, updatedAt: now?.updatedAt });
    expect(now?.updatedAt).not.toBe(was?.updatedAt);
  });

  test('is refused with unknown links, and only links are checked again', async () => {
    const { update } = await opened({ a: { dependsOn: ['gone'] }, b: { dependsOn: ['a'] } });
    expect([
      await update({ taskID: 'a', title: ' ' }),
      await update({ taskID: 'a', title: 'x' }),
      await update({ taskID: 'a', parentID: 'b' }),
      await update({ taskID: 'a', dependsOn: ['b'] }),
    ]).toEqual([
      'invalid_input: A title cannot be blank. Leave it out to keep it.',
      'Updated [ ] a: x',
      'not_found: There is no task gone. Use list to see the ids.',
      'cycle: That would make a circle in which each task waits for the next: a → b → a. A task waits for those in dependsOn and for its children. Leave one of these links out.',
    ]);
  });
});

test('a task is deleted unless others depend on it', async () => {
  const { home, remove, kept } = await opened({
    a: {},
    b: { dependsOn: ['a'] },
    c: { parentID: 'a' },
    d: {},
    f: { parentID: 'c' },
  });
  expect(await deleteTask(home, { taskID: 'd' })).toEqual({
    content: 'Deleted d: D',
    data: { deleted: 'd' },
  });
  expect([await kept('d'), await remove({ taskID: 'c' }), await remove({ taskID: 'a' })]).toEqual([
    null,
    'in_use: c was not deleted: f depend on it or have it as parent. Change their dependsOn or parentID first, or delete them.',
    'in_use: a was not deleted: b, c depend on it or have it as parent. Change their dependsOn or parentID first, or delete them.',
  ]);
});
