import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenRun } from '../../../src/contract/open-run.ts';
import { createOctokit } from '../../../src/github/create-octokit.ts';
import { closeCheck, type RunCheckPorts, startRunCheck } from '../../../src/reporting/check-run/run-check.ts';
import { finding, sampleOutcome } from '../samples.ts';
import { ownLogin, type Scene, silentLog, startWorld, type World } from '../scene.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const waited: number[] = [];

async function portsOf(scene: Scene, kind: 'check' | 'status'): Promise<RunCheckPorts> {
  const permission = kind === 'check' ? 'checks' : 'statuses';
  const token = world.github.createToken({ actor: ownLogin, permissions: { [permission]: 'write' } });
  return {
    octokit: createOctokit({ apiUrl: world.github.apiUrl, token, wait: async () => {} }),
    ...{ kind, store: scene.store, ownLogin, log: silentLog, runUrl: null, config: {} },
    pullRequestDiff: (await scene.ports()).pullRequestDiff,
    wait: async (milliseconds) => void waited.push(milliseconds),
  };
}

const published = { issues: [], downgrades: [], failures: [], patch: '', report: 'The report.' };
const planOf = (scene: Scene, run_id: string) => scene.plan({ run_id, profile: 'review', verb: 'review' });
const outcome = sampleOutcome({
  profile: 'review',
  findings: [{ ...finding, path: 'src/a.js', line: 10, severity: 'low' }],
});
const ends = (scene: Scene) =>
  scene.repository.checkRuns().map((check) => [check.status, check.title, check.annotations.length]);

test('resends the end of a check during an outage, but no annotation twice', async () => {
  const scene = await world.scene();
  const check = await startRunCheck(planOf(scene, 'run_again'), await portsOf(scene, 'check'));
  waited.length = 0;
  world.github.failNext({ method: 'PATCH', path: /check-runs/, status: 502, times: 2 });
  world.github.failNext({ method: 'PATCH', path: /check-runs/, status: 502, after: true });
  await check?.finish(outcome, published);
  expect([waited, check?.pendingEnd(), ends(scene)]).toEqual([
    [1_000, 4_000, 15_000],
    null,
    [['completed', '1 finding: 1 low', 1]],
  ]);
});

test('stores an unwritten end, and writes it after the outage', async () => {
  const scene = await world.scene();
  const plan = planOf(scene, 'run_left');
  const ports = await portsOf(scene, 'check');
  const check = await startRunCheck(plan, ports);
  world.github.failNext({ method: 'PATCH', path: /check-runs/, status: 503, times: 4 });
  await check?.finish(outcome, published);
  const left = check?.pendingEnd() as NonNullable<OpenRun['check']>;
  const before = ends(scene);
  for (let time = 0; time < 2; time++) await closeCheck(plan, left, 'Unused.', ports);
  expect([before, ends(scene), left.end?.conclusion]).toEqual([
    [['in_progress', 'Running', 0]],
    [['completed', '1 finding: 1 low', 0]],
    'neutral',
  ]);
});

test('creates the check at the end if GitHub was down at the start', async () => {
  const scene = await world.scene();
  world.github.failNext({ method: 'POST', path: /check-runs/, status: 500, times: 2 });
  const check = await startRunCheck(planOf(scene, 'run_late'), await portsOf(scene, 'check'));
  world.github.failNext({ method: 'POST', path: /check-runs/, status: 500, times: 2 });
  await check?.fail('It broke.');
  const left = check?.pendingEnd()?.end?.title;
  await check?.finish(outcome, published);
  expect([left, check?.pendingEnd(), ends(scene)]).toEqual([
    'Failed',
    null,
    [['completed', '1 finding: 1 low', 1]],
  ]);
});

test('ends a pending status, and leaves any other', async () => {
  const scene = await world.scene();
  const plan = planOf(scene, 'run_status');
  const ports = await portsOf(scene, 'status');
  const open = { kind: 'status', end: null } as const;
  await closeCheck(plan, open, 'It ended.', ports);
  await startRunCheck(plan, ports);
  for (const words of ['It ended.', 'It ended otherwise.']) await closeCheck(plan, open, words, ports);
  expect(scene.repository.statuses().map(({ state, description }) => [state, description])).toEqual([
    ['pending', 'Running'],
    ['success', 'Failed'],
  ]);
});
