import { expect, test } from 'vitest';
import { checkTasks, doTasks } from '../../../src/tools/children/task-coordinator.ts';

const task = (id: string, ...dependsOn: string[]) => ({ id, dependsOn });

test('each task starts once its dependencies end, within the limit of parallel tasks', async () => {
  const log: string[] = [];
  let running = 0;
  let most = 0;
  const tasks = [task('d', 'b', 'c'), task('a'), task('b', 'a'), task('c', 'a'), task('e'), task('f')];
  const results = await doTasks(
    tasks,
    2,
    async ({ id }, before: readonly string[]) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      log.push(id);
      return `${id}(${before.join('')})`;
    },
    () => true,
  );
  expect(results).toEqual(['d(b(a())c(a()))', 'a()', 'b(a())', 'c(a())', 'e()', 'f()']);
  expect(most).toBe(2);
  expect(log.indexOf('d')).toBeGreaterThan(Math.max(log.indexOf('b'), log.indexOf('c')));
});

test('tasks that depend on a failed one do not start, directly or indirectly', async () => {
  const started: string[] = [];
  const results = await doTasks(
    [task('a'), task('b', 'a'), task('c', 'b'), task('d')],
    3,
    async ({ id }) => {
      started.push(id);
      return id;
    },
    (id) => id !== 'a',
  );
  expect([results, started]).toEqual([
    ['a', null, null, 'd'],
    ['a', 'd'],
  ]);
});

test('after an exception no task starts, and it is thrown once all running ones end', async () => {
  const log: string[] = [];
  const done = doTasks(
    [task('a'), task('b'), task('c'), task('d', 'b')],
    2,
    async ({ id }) => {
      log.push(`${id} begins`);
      if (id === 'a') throw new Error('a limit');
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${id} ends`);
      return id;
    },
    () => true,
  );
  await expect(done).rejects.toThrow('a limit');
  expect(log).toEqual(['a begins', 'b begins', 'b ends']);
});

test('an exception is also thrown if more tasks wait than run in parallel', async () => {
  const startedRun: string[] = [];
  const done = doTasks(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id) => task(id)),
    3,
    async ({ id }) => {
      startedRun.push(id);
      throw new Error(`a limit in ${id}`);
    },
    () => true,
  );
  await expect(done).rejects.toThrow('a limit in a');
  expect(startedRun).toEqual(['a', 'b', 'c']);
});

test('duplicate or unknown ids and cycles are refused', () => {
  expect(() => checkTasks([task('a'), task('a')])).toThrow('Two tasks have the id a.');
  expect(() => checkTasks([task('a', 'x')])).toThrow('a depends on x, which is no task of this call.');
  expect(() => checkTasks([task('a', 'c'), task('b', 'a'), task('c', 'b'), task('d')])).toThrow(
    'These tasks wait for each other in a circle: a, b, c.',
  );
  expect(() => checkTasks([task('b', 'a'), task('a')])).not.toThrow();
});
