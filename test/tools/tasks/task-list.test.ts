import { afterEach, expect, test } from 'vitest';
import type { Json } from '../../../src/contract/json.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

type Input = { readonly [key: string]: Json };

/** A list with these tasks, each given by its id. */
async function open(tasks: Readonly<Record<string, Input>> = {}) {
  tools = await openTools({});
  const { say, call } = tools;
  const act = (action: string, input: Input = {}) => say('task_list', { action, ...input });
  for (const [taskID, rest] of Object.entries(tasks)) {
    const reply = await act('create', { taskID, title: taskID.toUpperCase(), ...rest });
    if (!reply.startsWith('Created')) throw new Error(reply);
  }
  const get = async (taskID: string) => (await call('task_list', { action: 'get', taskID })).data;
  return { act, call, get, context: tools.context };
}

const repoURL = 'https://github.com/acme/shop';
const at = '1970-01-01T00:00:00.000Z';
const task = (id: string) => ({
  id,
  title: id.toUpperCase(),
  description: null,
  repoURL,
  status: 'open',
  dependsOn: [],
  parentID: null,
  createdAt: at,
  updatedAt: at,
});

test('a task gets its own id and stays in the store', async () => {
  const { call, context } = await open();
  const { content, data } = await call('task_list', { action: 'create', title: ' Write the guide ' });
  const { task: made } = data as { task: { id: string } };
  expect(made).toEqual({ ...task(made.id), title: 'Write the guide' });
  expect(made.id).toMatch(/^task_[0-9a-f]{8}$/);
  expect(content).toBe(`Created [ ] ${made.id}: Write the guide`);
  expect(await context.tasks.store.get(`tasks/${made.id}`)).toBe(JSON.stringify(made));
});

test('an omitted field stays, and a blank or an empty list clears it', async () => {
  const { act, get } = await open({
    a: {},
    p: {},
    b: { description: 'Long.', dependsOn: ['a'], parentID: 'p' },
  });
  const before = { ...task('b'), description: 'Long.', dependsOn: ['a'], parentID: 'p' };
  expect(await act('update', { taskID: 'b', status: 'Doing', title: null, dependsOn: null })).toBe(
    'Updated [~] b: B (child of p; waits for a)',
  );
  expect(await get('b')).toEqual({ task: { ...before, status: 'in_progress' } });
  await act('update', { task_id: 'b', description: '', repoURL: ' ', parentID: '' });
  expect(await get('b')).toEqual({
    task: { ...before, status: 'in_progress', description: null, repoURL: null, parentID: null },
  });
  await act('update', { taskID: 'b', depends_on: [], status: 'done' });
  expect(await get('b')).toEqual({ task: { ...task('b'), repoURL: null, status: 'completed' } });
});

test('get displays every field of one task', async () => {
  const { act } = await open({ a: { description: 'First.' }, b: { parentID: 'a' } });
  expect(await act('get', { taskID: 'a' })).toBe(
    `[ ] a: A\nrepository: ${repoURL}\nchildren: b\ndescription: First.`,
  );
});

test('circular links are refused with the circle', async () => {
  const { act, get } = await open({
    a: {},
    b: { dependsOn: ['a'] },
    c: { dependsOn: ['b'] },
    kid: { parentID: 'a' },
  });
  const circle = (way: string) =>
    `cycle: That would make a circle in which each task waits for the next: ${way}. A task waits for those in dependsOn and for its children. Leave one of these links out.`;
  const itself = 'cycle: a can neither depend on itself nor be its own parent.';
  expect([
    await act('update', { taskID: 'a', dependsOn: ['a'] }),
    await act('update', { taskID: 'a', parentID: 'a' }),
    await act('update', { taskID: 'a', dependsOn: ['c'] }),
    await act('update', { taskID: 'a', parentID: 'kid' }),
    await act('update', { taskID: 'kid', dependsOn: ['c'] }),
    await act('create', { taskID: 'x', title: 'X', dependsOn: ['x'] }),
  ]).toEqual([
    itself,
    itself,
    circle('a → c → b → a'),
    circle('a → kid → a'),
    circle('kid → c → b → a → kid'),
    'cycle: x can neither depend on itself nor be its own parent.',
  ]);
  expect(await get('a')).toEqual({ task: task('a') });
  expect(await act('update', { taskID: 'a', dependsOn: ['kid'] })).toBe('Updated [ ] a: A (waits for kid)');
});

test('links to missing tasks, a duplicate id and a missing title are refused', async () => {
  const { act } = await open({ a: {} });
  expect([
    await act('create', { title: 'B', dependsOn: ['a', 'zz'], parentID: 'yy' }),
    await act('create', { title: 'B', taskID: 'a' }),
    await act('create', { title: ' ' }),
    await act('update', { taskID: 'a', title: '' }),
    await act('update', { title: 'B' }),
    await act('get', { taskID: 'zz' }),
  ]).toEqual([
    'not_found: There is no task zz, yy. Use list to see the ids.',
    'exists: There is a task a already. Use update, or leave taskID out.',
    'invalid_input: A new task needs a title.',
    'invalid_input: A title cannot be blank. Leave it out to keep it.',
    'invalid_input: taskID is missing: it says which task. Use list to see the ids.',
    'not_found: There is no task zz. Use list to see the ids.',
  ]);
  expect(await act('get', { taskID: '../a' })).toMatch(/^invalid_input: .*taskID: up to 64 letters/);
});

test('a task can be deleted only after those that depend on it', async () => {
  const { act } = await open({ a: {}, b: { dependsOn: ['a'] }, c: { parentID: 'a' } });
  expect([
    await act('delete', { taskID: 'a' }),
    await act('delete', { taskID: 'b' }),
    await act('update', { taskID: 'c', parentID: '' }),
    await act('delete', { taskID: 'a' }),
    await act('list'),
  ]).toEqual([
    'in_use: a was not deleted: b, c depend on it or have it as parent. Change their dependsOn or parentID first, or delete them.',
    'Deleted b: B',
    'Updated [ ] c: C',
    'Deleted a: A',
    '[ ] c: C',
  ]);
});

test('list displays this repository, filtered and limited as requested', async () => {
  const { act } = await open({
    a: { status: 'completed' },
    b: { dependsOn: ['a'] },
    c: { parentID: 'b', repoURL: 'https://github.com/ACME/shop.git/' },
    d: { repoURL: 'https://github.com/acme/other' },
    e: { repoURL: '' },
  });
  expect([
    await act('list'),
    await act('list', { limit: 2 }),
    await act('list', { status: 'todo', limit: 0 }),
    await act('list', { repoURL: 'https://github.com/acme/other.git' }),
    await act('list', { repoURL: '', parentID: 'b' }),
    await act('list', { status: 'in_progress' }),
  ]).toEqual([
    '[x] a: A\n[ ] b: B\n[ ] c: C (child of b)\n[ ] e: E',
    '[x] a: A\n[ ] b: B\n[2 of 4 tasks; limit 0 shows all]',
    '[ ] b: B\n[ ] c: C (child of b)\n[ ] e: E',
    '[ ] d: D',
    '[ ] c: C (child of b)',
    'There are no such tasks.',
  ]);
});

test('more than 500 tasks are refused, and invalid entries in the store are skipped', async () => {
  const { act, context } = await open();
  const { store } = context.tasks;
  for (let index = 0; index < 500; index += 1)
    await store.set(`tasks/t${index}`, JSON.stringify(task(`t${index}`)));
  expect(await act('create', { title: 'One more' })).toBe(
    'quota: There are 500 tasks already. Delete those that are completed first.',
  );
  await store.set('tasks/t0', '{"id":"t0"}');
  expect(await act('get', { taskID: 't0' })).toBe('not_found: There is no task t0. Use list to see the ids.');
});
