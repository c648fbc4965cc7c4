import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { ActiveRun } from '../../../src/app/deliveries/delivery-methods.ts';
import { createRemovals, isRemoval } from '../../../src/app/removals/removals.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { createActiveRuns } from '../../../src/pipeline/context/active-runs.ts';
import { createLog } from '../../../src/redaction/create-log.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { openRepositoryState } from '../../../src/state/repository-state.ts';

const dataFolder = mkdtempSync(path.join(tmpdir(), 'anode-removals-'));
afterAll(() => rmSync(dataFolder, { recursive: true }));

let state: ReturnType<typeof createMemoryStateStore>;
let runs: ReturnType<typeof createActiveRuns<ActiveRun>>;
beforeEach(() => {
  state = createMemoryStateStore();
  runs = createActiveRuns<ActiveRun>();
  installation = { suspended: false };
  visibility = 'private';
  waited = [];
  lines = [];
});

const open = (repository: number) => openRepositoryState(state, { installation: 42, repository });
const event = (name: string, delivery_id: string, payload: JsonObject) => ({ name, delivery_id, payload });
const privatized = (id: string) =>
  event('repository', id, { action: 'privatized', repository: { id: 7 }, installation: { id: 42 } });
/** What GitHub says of the installation, null for one that is gone, and of its repositories. */
let installation: { suspended: boolean } | null;
let visibility: 'public' | 'private' | null;
let waited: number[];
let lines: string[];
const removals = () =>
  createRemovals({
    ...{ state, runs, dataFolder },
    log: createLog('info', { write: (line) => void lines.push(String(JSON.parse(line).msg)) }, []),
    tokens: {
      async grantsOf() {
        if (installation === null) throw Object.assign(new Error('Not Found'), { status: 404 });
        return { permissions: {}, events: [], ...installation };
      },
      visibilityOf: async () => visibility,
    },
    wait: async (milliseconds) => waited.push(milliseconds),
  });
const take = (repository: number) => {
  const tenant = `42.${repository}.0`;
  return runs.take({ run_id: `run_${repository}`, tenant, thread: 1, plan: '{}' });
};

test('a removal stops the runs of its repository, and is done once, also if it is sent again', async () => {
  const { take: receive, finish } = removals();
  await (await open(7)).store.set('review/1', 'before');
  const [own, other] = [take(7), take(8)];
  const taken = [await receive(privatized('one'), true)];
  const reason: unknown = own.signal.reason;
  const kept = await state.list('review/');
  own.release();
  await finish();
  const after = await state.list('review/');
  await (await open(7)).store.set('review/1', 'after');
  // The same delivery again, and its signed body under another id.
  taken.push(await receive(privatized('one'), true), await receive(privatized('two'), false));
  expect({ taken, stopped: other.signal.aborted, kept, after, now: await state.list('review/') }).toEqual({
    taken: [true, true, true],
    stopped: false,
    kept: ['review/42.7.0/1'],
    after: [],
    now: ['review/42.7.1/1'],
  });
  expect(reason).toMatchObject({
    reason: { kind: 'cancelled', message: 'The repository was made private.' },
  });
});

test('a suspended installation keeps its state, and its runs are stopped', async () => {
  const suspend = event('installation', 'one', { action: 'suspend', installation: { id: 42 } });
  const { store } = await open(7);
  await store.set('review/1', 'kept');
  const run = take(7);
  installation = { suspended: true };
  expect([await removals().take(suspend, true), run.signal.aborted, await store.get('review/1')]).toEqual([
    true,
    true,
    'kept',
  ]);
});

test('any other event is ignored', async () => {
  const comment = event('issue_comment', 'one', { action: 'created', repository: { id: 7 } });
  expect([await removals().take(comment, true), isRemoval(comment), isRemoval(privatized('x'))]).toEqual([
    false,
    false,
    true,
  ]);
});

test('a removal that GitHub does not confirm stops no run and removes nothing', async () => {
  const { take: receive } = removals();
  await (await open(7)).store.set('review/1', 'kept');
  const run = take(7);
  visibility = 'public';
  const one = { id: 42 };
  const taken = [
    await receive(privatized('private'), true),
    await receive(event('repository', 'gone', { action: 'deleted', repository: { id: 7 } }), true),
    await receive(event('installation', 'over', { action: 'deleted', installation: one }), true),
    await receive(event('installation', 'rest', { action: 'suspend', installation: one }), true),
  ];
  const removed = { action: 'removed', installation: one, repositories_removed: [{ id: 7 }] };
  taken.push(await receive(event('installation_repositories', 'away', removed), true));
  expect({ taken, stopped: run.signal.aborted, kept: await state.list('') }).toEqual({
    taken: [true, true, true, true, true],
    stopped: false,
    kept: ['review/42.7.0/1'],
  });
  expect([waited.length, lines]).toEqual([
    10,
    [
      'Nothing was removed: GitHub does not confirm it. The repository was made private.',
      'Nothing was removed: GitHub does not confirm it. The repository was deleted.',
      'Nothing was removed: GitHub does not confirm it. The App was uninstalled.',
      'Nothing was removed: GitHub does not confirm it. The App was taken away from the repository.',
    ],
  ]);
});

test('deliveries of a deleted installation are dropped and logged, until GitHub knows it again', async () => {
  const { take: receive, drops } = removals();
  const comment = event('issue_comment', 'one', { action: 'created' });
  const identity = { installation: 42, repository: 7 };
  const before = await drops(comment, identity);
  installation = null;
  await receive(event('installation', 'over', { action: 'deleted', installation: { id: 42 } }), true);
  const over = await drops(comment, identity);
  installation = { suspended: false };
  expect([before, over, await drops(comment, identity), await state.list('gone/')]).toEqual([
    ...[false, true, false],
    [],
  ]);
  expect(lines).toEqual([
    'State was removed. The App was uninstalled.',
    'Dropped: the installation was deleted.',
    'The installation was marked as deleted, but GitHub still has it: it is served again.',
  ]);
});
