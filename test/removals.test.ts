import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../src/contract/json.ts';
import type { HeldRun } from '../src/delivery-methods.ts';
import { createRemovals, isRemoval } from '../src/removals.ts';
import { createRunsInHand } from '../src/runs-in-hand.ts';
import { createMemoryStateStore } from '../src/state/memory-state-store.ts';
import { openRepositoryState } from '../src/state/repository-state.ts';
import { createLog } from '../src/webhooks/create-log.ts';

const dataFolder = mkdtempSync(path.join(tmpdir(), 'anode-removals-'));
afterAll(() => rmSync(dataFolder, { recursive: true }));

let state: ReturnType<typeof createMemoryStateStore>;
let runs: ReturnType<typeof createRunsInHand<HeldRun>>;
beforeEach(() => {
  state = createMemoryStateStore();
  runs = createRunsInHand<HeldRun>();
});

const open = (repository: number) => openRepositoryState(state, { installation: 42, repository });
const event = (name: string, delivery_id: string, payload: JsonObject) => ({ name, delivery_id, payload });
const privatized = (id: string) =>
  event('repository', id, { action: 'privatized', repository: { id: 7 }, installation: { id: 42 } });
const removals = () => createRemovals({ state, runs, dataFolder, log: createLog('silent') });
const take = (repository: number) => {
  const tenant = `42.${repository}.0`;
  return runs.take({ run_id: `run_${repository}`, tenant, thread: 1, plan: '{}' });
};

test('a removal ends the runs of its repository, and is done once, whoever sends it again', async () => {
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

test('a suspended installation keeps its state, and its runs end', async () => {
  const suspend = event('installation', 'one', { action: 'suspend', installation: { id: 42 } });
  const { store } = await open(7);
  await store.set('review/1', 'kept');
  const run = take(7);
  expect([await removals().take(suspend, true), run.signal.aborted, await store.get('review/1')]).toEqual([
    true,
    true,
    'kept',
  ]);
});

test('any other event is left to others', async () => {
  const comment = event('issue_comment', 'one', { action: 'created', repository: { id: 7 } });
  expect([await removals().take(comment, true), isRemoval(comment), isRemoval(privatized('x'))]).toEqual([
    false,
    false,
    true,
  ]);
});
