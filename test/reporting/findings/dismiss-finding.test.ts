import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import { dismissFinding } from '../../../src/reporting/findings/dismiss-finding.ts';
import { readReviewRecord, saveReviewRecord } from '../../../src/reporting/findings/previous-findings.ts';
import { settleDismissed } from '../../../src/reporting/findings/settle-dismissed.ts';
import { finding } from '../samples.ts';
import { ownLogin, startWorld, type World } from '../scene.ts';
import { reviewHead, states } from './review-head.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world.close());

const ten: Finding = { ...finding, line: 10, title: 'Ten is another' };
const small: Finding = { ...finding, line: 11, title: 'Eleven, too', severity: 'low' };

/** A review with a thread about line 10 and a finding that only the summary tells. */
async function reviewed() {
  const scene = await world.scene();
  const { store, octokit } = scene;
  await reviewHead(store, scene, 'run_1', [ten, small]);
  const plan = scene.plan();
  const ports = { octokit, ownLogin, store };
  const findings = async () => (await readReviewRecord(plan, store))?.findings ?? [];
  const idOf = async (title: string) => (await findings()).find((one) => one.title === title)?.id ?? '';
  return { scene, plan, ports, findings, idOf };
}

test('a finding without a thread is dismissed by the beginning of its id, once', async () => {
  const { scene, plan, ports, findings, idOf } = await reviewed();
  const id = (await idOf(small.title)).slice(0, 7);
  const dismiss = (by: string, typed: string | null = id) =>
    dismissFinding({ plan, id: typed, root: null, by, reason: 'As meant' }, ports);
  expect([
    await dismiss('ada', 'fffffff'),
    await dismiss('ada', null),
    await dismiss('ada'),
    await dismiss('ada'),
    await dismiss('bob'),
    states(scene).resolved,
  ]).toEqual([
    'No finding of this pull request has the id `fffffff`. Name the finding by its id in my summary, or use `dismiss` in the thread of a finding.',
    'Name the finding by its id in my summary, or use `dismiss` in the thread of a finding.',
    '',
    '',
    'This finding is dismissed already.',
    [null],
  ]);
  expect(
    (await findings()).map(({ title, state, dismissed_by, dismissed_reason }) => ({
      ...{ title, state, dismissed_by, dismissed_reason },
    })),
  ).toEqual([
    { title: ten.title, state: 'open', dismissed_by: null, dismissed_reason: undefined },
    { title: small.title, state: 'dismissed', dismissed_by: 'ada', dismissed_reason: 'As meant' },
  ]);
});

test('the thread of a dismissed finding is resolved, wherever the command stood', async () => {
  const { scene, plan, ports, findings, idOf } = await reviewed();
  const root = scene.repository.reviewComments(1)[0]?.id ?? 0;
  const command = { plan, by: 'ada', reason: '' };
  const id = await idOf(ten.title);
  expect([
    await dismissFinding({ ...command, id: null, root: root + 100 }, ports),
    await dismissFinding({ ...command, id: null, root }, { ...ports, store: null }),
    states(scene).resolved,
    await dismissFinding({ ...command, id: null, root }, ports),
    states(scene).resolved,
    await dismissFinding({ ...command, id, root: null }, ports),
  ]).toEqual([
    'Name the finding by its id in my summary, or use `dismiss` in the thread of a finding.',
    'Nothing is stored of findings here, which takes the input `state_secret` of the workflow, so no command can dismiss one. Answer in the thread of a finding instead, such as "won\'t fix".',
    [null],
    '',
    [ownLogin],
    '',
  ]);
  const record = (await readReviewRecord(plan, ports.store)) ?? expect.unreachable();
  const fixed = (await findings()).map((one) => ({ ...one, state: 'fixed' as const }));
  await saveReviewRecord(plan, ports.store, { ...record, findings: fixed });
  expect(await dismissFinding({ ...command, id, root: null }, ports)).toBe('This finding is fixed already.');
});

test('a 👎 of whoever may write is stored and ends the thread, and nothing is asked without an open one', async () => {
  const { scene, plan, ports, findings } = await reviewed();
  const root = scene.repository.reviewComments(1)[0]?.id ?? 0;
  const stateOfTen = async () => (await findings()).find(({ title }) => title === ten.title);
  scene.repository.react({ id: root }, '-1', 'eve');
  await settleDismissed(plan, ports);
  const before = [await stateOfTen(), ...states(scene).resolved];
  scene.repository.react({ id: root }, '-1', 'ada');
  await settleDismissed(plan, ports);
  expect([before, [await stateOfTen(), ...states(scene).resolved]]).toMatchObject([
    [{ state: 'open', dismissed_by: null }, null],
    [{ state: 'dismissed', dismissed_by: 'ada' }, ownLogin],
  ]);
  // The only open finding has no thread now, so a client that answers nothing suffices.
  await settleDismissed(plan, { ...ports, octokit: {} as never });
});
