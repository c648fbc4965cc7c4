import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import { keepReviewRecord, readReviewRecord } from '../../../src/reporting/findings/known-findings.ts';
import { resolveThreads } from '../../../src/reporting/findings/resolve-threads.ts';
import { finding } from '../samples.ts';
import { ownLogin, startWorld, type World } from '../scene.ts';
import { reviewHead, states } from './review-head.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world.close());

const ten: Finding = { ...finding, line: 10, title: 'Ten is another' };
const eleven: Finding = { ...finding, line: 11, title: 'Eleven, too', severity: 'low' };

test('What is open keeps its thread, and what was let go loses it, once.', async () => {
  const scene = await world.scene();
  const { store } = scene;
  await reviewHead(store, scene, 'run_1', [ten, eleven]);
  const plan = scene.plan();
  const resolve = () =>
    resolveThreads({ plan, root: null, by: 'ada' }, { octokit: scene.octokit, ownLogin, store });
  const none =
    'No open thread of mine is about something that is fixed. A review finds out what is: ask for one first.';
  expect([await resolve(), states(scene).resolved]).toEqual([none, [null, null]]);
  const record = (await readReviewRecord(plan, store)) ?? expect.unreachable();
  await keepReviewRecord(plan, store, {
    ...record,
    findings: record.findings.map((known) =>
      known.title === ten.title ? { ...known, state: 'dismissed' } : known,
    ),
  });
  expect([await resolve(), await resolve(), states(scene).resolved]).toEqual([
    'Resolved 1 thread about what is fixed or was let go.',
    none,
    [ownLogin, null],
  ]);
});

test('The one thread that is asked for is resolved and its finding let go, but no thread of another.', async () => {
  const scene = await world.scene();
  const { store } = scene;
  await reviewHead(store, scene, 'run_1', [ten, eleven]);
  const plan = scene.plan();
  const root = scene.repository.reviewComments(1)[1]?.id ?? 0;
  const resolve = (id: number) =>
    resolveThreads({ plan, root: id, by: 'ada' }, { octokit: scene.octokit, ownLogin, store });
  expect([await resolve(root + 100), await resolve(root), states(scene).resolved]).toEqual([
    'This thread is not one of mine, so I leave it alone.',
    '',
    [null, ownLogin],
  ]);
  const record = await readReviewRecord(plan, store);
  expect(record?.findings.map(({ title, state, dismissed_by }) => [title, state, dismissed_by])).toEqual([
    [ten.title, 'open', null],
    [eleven.title, 'dismissed', 'ada'],
  ]);
});
